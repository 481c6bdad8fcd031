; Names bound in functions, besides those that `local` declares.
(for_statement variable: (variable_name) @bind)

; Occurrences. Variables, and the first words of commands; functions have names of their own.
(variable_name) @ref
(variable_assignment name: (variable_name) @ref.write)
(variable_assignment name: (subscript name: (variable_name) @ref.write))
(command_name (word) @ref @ref.call)

; Functions that other commands are told to run, or told about.
((command name: (command_name (word) @how) . argument: (word) @ref @ref.call) (#any-of? @how "trap" "time" "coproc" "eval"))
((command name: (command_name (word) @how) . argument: (raw_string) @ref.words) (#any-of? @how "trap" "eval"))
(declaration_command "export" . (word) (variable_name) @ref.type)
(unset_command "unset" . (word) (variable_name) @ref.type)
