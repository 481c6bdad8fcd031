; Definitions. The capture spans the definition, @name the identifier alone.
(function_definition name: (word) @name) @def.function
((command name: (command_name (word) @how) argument: [(word) @name @def.macro (concatenation . (word) @name) @def.macro]) (#eq? @how "alias") (#match? @name "="))

; Variables of the file: declared ones with their words, then those that are only assigned.
(program (declaration_command ["export" "readonly" "declare" "typeset"] @modifier) @group)
(program (declaration_command ["export" "declare" "typeset"] (variable_assignment name: (variable_name) @name) @def.variable))
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name) @def.constant))
(declaration_command ["local" "declare" "typeset"] [(variable_assignment name: (variable_name) @bind.define) (variable_name) @bind.define])
(declaration_command ["export" "readonly"] (variable_assignment name: (variable_name) @bind.file))
[(program (variable_assignment name: (variable_name) @bind.file))
 (if_statement (variable_assignment name: (variable_name) @bind.file))
 (else_clause (variable_assignment name: (variable_name) @bind.file))
 (list (variable_assignment name: (variable_name) @bind.file))
 (case_item (variable_assignment name: (variable_name) @bind.file))
 (do_group (variable_assignment name: (variable_name) @bind.file))]
