; Scopes and the names bound in them.
(function_expression) @scope.function
(function_expression universal: (identifier) @bind)
(formal name: (identifier) @bind)

; Occurrences.
(variable_expression (identifier) @ref)
(select_expression attrpath: (attrpath (identifier) @ref))
(apply_expression function: (variable_expression (identifier) @ref.call))
(apply_expression function: (select_expression attrpath: (attrpath (identifier) @ref.call .)))
