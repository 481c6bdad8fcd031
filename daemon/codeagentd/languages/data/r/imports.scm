; Files that are sourced; the rule "r" reads them.
((call function: (identifier) @how arguments: (arguments . (argument value: (string)))) @import (#any-of? @how "source" "sys.source"))
