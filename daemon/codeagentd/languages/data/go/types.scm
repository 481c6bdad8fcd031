; What values are made of. Each pattern has one name and what is said of it: alternatives behind a captured name would leave the name captured alone.
(parameter_declaration name: (identifier) @typed.name type: (_) @typed.type)
(var_spec name: (identifier) @typed.name type: (_) @typed.type)
(short_var_declaration left: (expression_list . (identifier) @typed.name) right: (expression_list . (composite_literal type: (_) @typed.type)))
(short_var_declaration left: (expression_list . (identifier) @typed.name) right: (expression_list . (unary_expression operand: (composite_literal type: (_) @typed.type))))
(short_var_declaration left: (expression_list . (identifier) @typed.name) right: (expression_list . (type_assertion_expression type: (_) @typed.type)))
((short_var_declaration left: (expression_list . (identifier) @typed.name .) right: (expression_list . (call_expression
  function: (identifier) @_made arguments: (argument_list . (_) @typed.type)) .)) (#any-of? @_made "new" "make"))
(var_spec . name: (identifier) @typed.name !type value: (expression_list . (composite_literal type: (_) @typed.type) .))
(var_spec . name: (identifier) @typed.name !type value: (expression_list . (unary_expression operand: (composite_literal type: (_) @typed.type)) .))

(short_var_declaration left: (expression_list . (identifier) @assigned.name) right: (expression_list . (identifier) @assigned.value))
(short_var_declaration left: (expression_list . (identifier) @assigned.name) right: (expression_list . (selector_expression) @assigned.value))
(short_var_declaration left: (expression_list . (identifier) @assigned.name) right: (expression_list . (call_expression) @assigned.value))
(short_var_declaration left: (expression_list . (identifier) . (identifier) @second.name) right: (expression_list . (call_expression) @second.value .))
(short_var_declaration left: (expression_list . (identifier) @assigned.name) right: (expression_list . (type_conversion_expression) @assigned.value))
(short_var_declaration left: (expression_list . (identifier) @assigned.name) right: (expression_list . (index_expression) @assigned.value @indexed))
(var_spec . name: (identifier) @assigned.name !type value: (expression_list . (type_conversion_expression) @assigned.value))
(var_spec . name: (identifier) @assigned.name !type value: (expression_list . (identifier) @assigned.value))
(var_spec . name: (identifier) @assigned.name !type value: (expression_list . (selector_expression) @assigned.value))
(var_spec . name: (identifier) @assigned.name !type value: (expression_list . (call_expression) @assigned.value))
(range_clause left: (expression_list . (identifier) . (identifier) @iterated.name) right: (identifier) @iterated.value)
(range_clause left: (expression_list . (identifier) . (identifier) @iterated.name) right: (selector_expression) @iterated.value)
(range_clause left: (expression_list . (identifier) . (identifier) @iterated.name) right: (call_expression) @iterated.value)

; What the branches of a type switch say of its variable.
(type_case type: (_) @narrowed.branch)
