; What values are made of. Each pattern has one name and what is said of it.
(typed_parameter . (identifier) @typed.name type: (type) @typed.type)
(typed_default_parameter name: (identifier) @typed.name type: (type) @typed.type)
(assignment left: [(identifier) @typed.name (attribute attribute: (identifier) @typed.name)] type: (type) @typed.type)
(except_clause (as_pattern . [(identifier) (attribute)] @typed.type alias: (as_pattern_target (identifier) @typed.name)))

(assignment left: [(identifier) @assigned.name (attribute attribute: (identifier) @assigned.name)] !type
  right: [(identifier) @assigned.value (attribute) @assigned.value (call) @assigned.value (subscript) @assigned.value
    (await [(identifier) (attribute) (call)] @assigned.value)
    (parenthesized_expression [(identifier) @assigned.value (attribute) @assigned.value (call) @assigned.value (subscript) @assigned.value
      (await [(identifier) (attribute) (call)] @assigned.value)])])
(named_expression name: (identifier) @assigned.name value: [(identifier) (attribute) (call) (subscript)] @assigned.value)
(for_statement left: (identifier) @iterated.name right: [(identifier) (attribute) (call) (subscript)] @iterated.value)
(for_in_clause left: (identifier) @iterated.name right: [(identifier) (attribute) (call) (subscript)] @iterated.value)
(with_item value: (as_pattern . [(identifier) (attribute) (call)] @entered.value alias: (as_pattern_target (identifier) @entered.name)))
(return_statement [(identifier) (attribute) (call)] @returned)
(case_pattern (as_pattern . (case_pattern (class_pattern . (dotted_name) @typed.type)) (identifier) @typed.name .))

; Of several values that it may be, the one that says its type.
[(assignment left: [(identifier) @either.name (attribute attribute: (identifier) @either.name)] !type
    right: (boolean_operator operator: "or" right: (call) @either.value))
 (assignment left: [(identifier) @either.name (attribute attribute: (identifier) @either.name)] !type
    right: (conditional_expression . (call) @either.value))
 (assignment left: [(identifier) @either.name (attribute attribute: (identifier) @either.name)] !type
    right: (conditional_expression . [(identifier) (attribute) (none)] (_) (call) @either.value .))]
[(assignment left: [(identifier) @literal.name (attribute attribute: (identifier) @literal.name)] !type
    right: [(list) (dictionary) (set) (tuple) (string) (concatenated_string) (integer) (float) (list_comprehension) (dictionary_comprehension)
      (set_comprehension) (generator_expression)])
 (default_parameter name: (identifier) @literal.name value: [(list) (dictionary) (set) (tuple) (string) (concatenated_string) (integer) (float)])
 (list_splat_pattern (identifier) @literal.name) (dictionary_splat_pattern (identifier) @literal.name)]

; What tests say of a variable, where they hold.
((call function: (identifier) @_tests arguments: (argument_list . (identifier) @narrowed.name . (_) @narrowed.type .)) (#eq? @_tests "isinstance"))
((call function: (identifier) @_tests arguments: (argument_list . (named_expression name: (identifier) @narrowed.name) . (_) @narrowed.type .))
  (#eq? @_tests "isinstance"))
((comparison_operator . (call function: (identifier) @_tests arguments: (argument_list . (identifier) @narrowed.name .))
  operators: ["is" "=="] . (identifier) @narrowed.type .) (#eq? @_tests "type"))
(case_clause (case_pattern . (class_pattern . (dotted_name) @narrowed.branch)))
(case_clause (case_pattern . (as_pattern . (case_pattern (class_pattern . (dotted_name) @narrowed.branch)))))

; pytest: what a fixture asks for by the name of a parameter, and what it gives; what a test asks for is beside its @request. Source: pytest documentation, "How to use fixtures".
((decorated_definition
  (decorator [(identifier) @_fixture (attribute attribute: (identifier) @_fixture)
    (call function: [(identifier) @_fixture (attribute attribute: (identifier) @_fixture)])])
  definition: [
    (function_definition parameters: (parameters (identifier) @injected))
    (function_definition body: (block [
      (yield [(identifier) (attribute) (call)] @returned)
      (with_statement body: (block (yield [(identifier) (attribute) (call)] @returned)))
      (try_statement body: (block (yield [(identifier) (attribute) (call)] @returned)))]))])
  (#eq? @_fixture "fixture"))
