; The namespace form, and what is loaded outside of it; the rule "clojure" reads their parts.
((list_lit . value: (sym_lit name: (sym_name) @how)) @import (#any-of? @how "ns" "require" "use" "require-macros"))
