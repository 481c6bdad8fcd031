; Variables of a function.
(script_parameter (variable) @bind)
(class_method_parameter (variable) @bind)
(foreach_statement (variable) @bind)
(variable) @ref

; Commands by their names, members by what they are read from.
(command command_name: (command_name) @ref @ref.call)
(member_access . (_) @receiver)
(invokation_expression . (_) @receiver)
(member_access (member_name (simple_name) @ref))
(invokation_expression (member_name (simple_name) @ref @ref.call))
(type_identifier) @ref @ref.type
