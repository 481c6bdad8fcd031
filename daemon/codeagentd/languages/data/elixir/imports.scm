; Directives; the rule "elixir" reads their parts.
((call target: (identifier) @how (arguments . [(alias) (dot) (identifier)])) @import (#any-of? @how "alias" "import" "require" "use"))
