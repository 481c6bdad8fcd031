; Scopes besides the definitions, and the names bound in them.
(lambda) @scope.function
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope.block

(parameters [(identifier) @bind (default_parameter name: (identifier) @bind) (typed_default_parameter name: (identifier) @bind)
  (typed_parameter . (identifier) @bind)])
(lambda_parameters [(identifier) @bind (default_parameter name: (identifier) @bind)])
(list_splat_pattern (identifier) @bind)
(dictionary_splat_pattern (identifier) @bind)
(pattern_list (identifier) @bind.define)
(tuple_pattern (identifier) @bind)
(list_pattern (identifier) @bind)
(for_statement left: (identifier) @bind)
(for_in_clause left: (identifier) @bind)
(as_pattern_target (identifier) @bind)
(named_expression name: (identifier) @bind)
(case_pattern (dotted_name . (identifier) @bind .))
(case_pattern (as_pattern (identifier) @bind))
(splat_pattern (identifier) @bind)
(keyword_pattern . (identifier) @skip)
(keyword_pattern (dotted_name . (identifier) @bind .))
(global_statement (identifier) @bind.global)
(nonlocal_statement (identifier) @bind.global)
(keyword_argument name: (identifier) @skip)

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(identifier) @ref
(class_pattern (dotted_name (identifier) @ref.read))
(attribute object: (call arguments: (_) @arguments))
(decorator [(identifier) @ref.decorate (attribute attribute: (identifier) @ref.decorate)])
(decorator (call function: [(identifier) @ref.decorate (attribute attribute: (identifier) @ref.decorate)]))
(class_definition superclasses: (argument_list
  [(identifier) @ref.inherit (attribute attribute: (identifier) @ref.inherit) (subscript value: (identifier) @ref.inherit)
   (subscript value: (attribute attribute: (identifier) @ref.inherit))]))
[(assignment left: (attribute attribute: (identifier) @ref.write))
 (pattern_list (attribute attribute: (identifier) @ref.write))
 (tuple_pattern (attribute attribute: (identifier) @ref.write))
 (for_statement left: (attribute attribute: (identifier) @ref.write))
 (as_pattern_target (attribute attribute: (identifier) @ref.write))]
[(attribute object: (subscript) @indexed)
 (assignment right: (subscript) @indexed)
 (call function: (subscript) @indexed)
 (named_expression value: (subscript) @indexed)
 (for_statement right: (subscript) @indexed)
 (for_in_clause right: (subscript) @indexed)]
(augmented_assignment left: [(identifier) @ref.write (attribute attribute: (identifier) @ref.write)])
(typed_parameter type: (type) @region.accepts)
(typed_default_parameter type: (type) @region.accepts)
(function_definition return_type: (type) @region.returns)
(assignment type: (type) @region.type)
(type [(string (string_content) @quoted) (subscript) @quoted.among (binary_operator) @quoted.among])
(attribute object: (parenthesized_expression [(identifier) (attribute) (call arguments: (_) @arguments)
  (await [(identifier) (attribute) (call arguments: (_) @arguments)])]) @enclosed)

; pytest: the fixtures that tests and fixtures need. Source: pytest documentation, "How to use fixtures", "Parametrizing tests".
((function_definition name: (identifier) @request.test) (#match? @request.test "^test"))
((function_definition name: (identifier) @_test parameters: (parameters [(identifier) @request @injected (typed_parameter . (identifier) @request)]))
  (#match? @_test "^test"))
((decorated_definition
  (decorator [(identifier) @_fixture (attribute attribute: (identifier) @_fixture)
    (call function: [(identifier) @_fixture (attribute attribute: (identifier) @_fixture)])])
  definition: (function_definition parameters: (parameters [(identifier) @request (typed_parameter . (identifier) @request)])))
  (#match? @_fixture "^(yield_)?fixture$"))
((call function: (attribute attribute: (identifier) @_marks) arguments: (argument_list (string (string_content) @request.text)))
  (#any-of? @_marks "usefixtures" "getfixturevalue"))
((call function: (attribute attribute: (identifier) @_marks) arguments: (argument_list . [(string) (tuple) (list)] @request.parametrized) @request.arguments)
  (#eq? @_marks "parametrize"))
((decorated_definition
  (decorator (call function: [(identifier) @_fixture (attribute attribute: (identifier) @_fixture)]
    arguments: (argument_list (keyword_argument name: (identifier) @_name value: (string (string_content) @request.named)))))
  definition: (function_definition))
  (#match? @_fixture "^(yield_)?fixture$") (#eq? @_name "name"))

; Operations that run a method of their operand, or call a value that has no name of its own.
(call function: [(call) (subscript)] @runs.call)
(decorator (call) @runs.call)
(raise_statement . [(identifier) (attribute)] @runs.raise)
(with_item value: [(identifier) (attribute) (call)] @runs.with)
(with_item value: (as_pattern . [(identifier) (attribute) (call)] @runs.with))
(with_statement "async" (with_clause (with_item value: [(identifier) (attribute) (call)] @runs.async_with)))
(with_statement "async" (with_clause (with_item value: (as_pattern . [(identifier) (attribute) (call)] @runs.async_with))))
[(for_statement right: [(identifier) (attribute) (call)] @runs.for) (for_in_clause right: [(identifier) (attribute) (call)] @runs.for)]
[(for_statement "async" right: [(identifier) (attribute) (call)] @runs.async_for)
 (for_in_clause "async" right: [(identifier) (attribute) (call)] @runs.async_for)]
(subscript value: [(identifier) (attribute) (call)] @runs.item)
(assignment left: (subscript value: [(identifier) (attribute) (call)] @runs.set_item))
(delete_statement (subscript value: [(identifier) (attribute) (call)] @runs.del_item))
(binary_operator left: [(identifier) (attribute) (call)]) @runs.binary
(augmented_assignment left: [(identifier) (attribute)]) @runs.binary
(unary_operator argument: [(identifier) (attribute) (call)]) @runs.unary
(comparison_operator ["in" "not in"] . [(identifier) (attribute) (call)] @runs.in .)
