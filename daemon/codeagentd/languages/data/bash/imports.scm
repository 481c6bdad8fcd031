; Files that are sourced; the rule "bash" reads their paths.
((command name: (command_name (word) @how) . argument: [(word) (string) (raw_string) (concatenation)]) @import (#any-of? @how "source" "."))
