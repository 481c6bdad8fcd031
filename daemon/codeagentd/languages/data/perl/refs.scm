; Variables of a block, or of the file.
(block) @scope.block
(variable_declaration ["my" "state"] variable: (_ (varname) @bind))
(variable_declaration ["my" "state"] variables: (_ (varname) @bind))
(for_statement variable: (_ (varname) @bind))
(varname) @ref

; Subroutines by their names, methods by what they are called on.
(function_call_expression function: (function) @ref @ref.call)
(ambiguous_function_call_expression function: (function) @ref @ref.call)
(function_call_expression (function (varname) @ref.call))
(method_call_expression invocant: (_) @receiver method: (method) @ref @ref.call)
(method_call_expression invocant: (bareword) @ref)
(bareword) @ref
(package) @ref
(package_statement name: (package) @skip)
