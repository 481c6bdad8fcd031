; Packages that are used; the rule "vhdl" reads their names.
(use_clause (selected_name) @import)
