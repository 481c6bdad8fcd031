; Scopes and the names bound in them.
[(lambda) (list_comprehension) (dictionary_comprehension)] @scope.function
(parameters (identifier) @bind)
(parameters (default_parameter name: (identifier) @bind))
(parameters [(list_splat_pattern (identifier) @bind) (dictionary_splat_pattern (identifier) @bind)])
(lambda_parameters (identifier) @bind)
(lambda_parameters (default_parameter name: (identifier) @bind))
(block (expression_statement (assignment left: (identifier) @bind)))
(block (expression_statement (assignment left: (pattern_list (identifier) @bind))))
(for_statement left: (identifier) @bind)
(for_statement left: (pattern_list (identifier) @bind))
(for_statement left: (tuple_pattern (identifier) @bind))
(for_in_clause left: (identifier) @bind)
(for_in_clause left: (pattern_list (identifier) @bind))
(for_in_clause left: (tuple_pattern (identifier) @bind))

; Occurrences.
(identifier) @ref
(keyword_argument name: (identifier) @skip)
(assignment left: (identifier) @ref.write)
(attribute object: (_) @receiver)
