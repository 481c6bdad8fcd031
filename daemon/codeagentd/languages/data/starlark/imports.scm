; What a file loads from another one; the rule "starlark" reads the names.
((call function: (identifier) @how arguments: (argument_list . (string))) @import (#eq? @how "load"))
