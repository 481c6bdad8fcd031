; Scopes and the names bound in them.
[(lambda_literal) (anonymous_function) (anonymous_initializer) (getter) (setter)] @scope.function
(lambda_literal . (statements)) @bind.implicit
(enum_entry (class_body) @scope.class)
[(control_structure_body) (for_statement) (catch_block) (finally_block) (when_expression)] @scope.block
(try_expression (statements) @scope.block)

; Where the parameters of a class hide its members.
[(class_body (property_declaration "=" . (_) @scope.block @initial)) (constructor_invocation (value_arguments) @scope.block @initial)]
(anonymous_initializer) @initial

(variable_declaration (simple_identifier) @bind)
(function_value_parameters (parameter (simple_identifier) @bind))
(class_parameter (simple_identifier) @bind)
(parameter_with_optional_type (simple_identifier) @bind)
(catch_block . (simple_identifier) @bind)
(type_parameter (type_identifier) @bind.type)

; A name holds from the end of its value on: `val shelf = shelf.next`.
(statements (property_declaration (variable_declaration . (simple_identifier) @since.name) . (_) @since.value))

; Identifiers that are no references.
(value_argument (simple_identifier) @skip . "=")
(function_type_parameters (parameter (simple_identifier) @skip))
(type_constraint . (type_identifier) @skip)

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(simple_identifier) @ref
(interpolated_identifier) @ref
(type_identifier) @typename
(navigation_expression . (_) @receiver (navigation_suffix "::"))
(directly_assignable_expression (navigation_suffix (simple_identifier) @ref.write) .)
(directly_assignable_expression . (simple_identifier) @ref.write .)
(callable_reference . (type_identifier) @ref @plain @receiver)
(callable_reference (simple_identifier) @ref.call)
(navigation_expression (navigation_suffix "::" (simple_identifier) @ref.call))
(user_type (type_identifier) @ref.read . (type_identifier))
(infix_expression (_) . (simple_identifier) @infix @ref.call . (_))
(call_suffix (type_arguments) @generic)

; The name before arguments is called, also when all that follows is a lambda.
(call_suffix (value_arguments) @called)
(call_suffix (annotated_lambda) @called.block @block)

; Arguments that say themselves what they are.
(value_argument . (string_literal) @argument.String .)
(value_argument . (character_literal) @argument.Char .)
(value_argument . [(integer_literal) (hex_literal) (bin_literal)] @argument.whole .)
(value_argument . (long_literal) @argument.Long .)
((value_argument . (real_literal) @argument.Double .) (#not-match? @argument.Double "[fF]$"))
((value_argument . (real_literal) @argument.Float .) (#match? @argument.Float "[fF]$"))
(value_argument . [(simple_identifier) (navigation_expression) (call_expression) (this_expression)] @argument .)
(value_argument . (boolean_literal) @argument.Boolean .)
(value_argument . [(callable_reference "class" .) (navigation_expression (navigation_suffix "::" "class"))] @argument.KClass .)
((value_argument . (navigation_expression
   [(callable_reference "class" .) (navigation_expression (navigation_suffix "::" "class"))] . (navigation_suffix (simple_identifier) @_java) .) @argument.Class .)
  (#eq? @_java "java"))
(value_argument . [(lambda_literal) (anonymous_function) (callable_reference (simple_identifier) .)] @argument.function .)
; Receivers that do.
(navigation_expression . (string_literal) @literal.String)
(navigation_expression . (character_literal) @literal.Char)
(navigation_expression . [(callable_reference "class" .) (navigation_expression (navigation_suffix "::" "class"))] @literal.KClass)
(constructor_delegation_call ["this" "super"] @ref @ref.construct)
(constructor_delegation_call (value_arguments) @called)

(delegation_specifier [
  (user_type (type_identifier) @ref.inherit) (constructor_invocation (user_type (type_identifier) @ref.inherit))
  (explicit_delegation (user_type (type_identifier) @ref.inherit))])
(annotation [(user_type (type_identifier) @ref.decorate) (constructor_invocation (user_type (type_identifier) @ref.decorate))])
(file_annotation [(user_type (type_identifier) @ref.decorate) (constructor_invocation (user_type (type_identifier) @ref.decorate))])
(postfix_expression [(simple_identifier) @ref.write (navigation_expression (navigation_suffix (simple_identifier) @ref.write))] ["++" "--"])
(prefix_expression ["++" "--"] [(simple_identifier) @ref.write (navigation_expression (navigation_suffix (simple_identifier) @ref.write))])

; What a type stands for: the outermost range counts, and of equal ranges the first of type, accepts, returns.
(function_value_parameters (parameter [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @region.accepts))
(anonymous_function (function_value_parameters (parameter [(user_type) (nullable_type) (function_type)] @region.type)))
(function_declaration (function_value_parameters) . [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @region.returns)
[(variable_declaration [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @region.type)
 (class_parameter [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @region.type)
 (parameter_with_optional_type [(user_type) (nullable_type) (function_type)] @region.type)
 (as_expression (_) [(user_type) (nullable_type) (function_type) (parenthesized_type)] @region.type)
 (check_expression (_) [(user_type) (nullable_type) (function_type) (parenthesized_type)] @region.type)
 (anonymous_function [(user_type) (nullable_type) (function_type)] @region.type) (catch_block (user_type) @region.type)
 (type_alias (type_identifier) (_) @region.type) (constructor_invocation (user_type) @region.type) (delegation_specifier (user_type) @region.type)
 (explicit_delegation (user_type) @region.type) (annotation (user_type) @region.type) (file_annotation (user_type) @region.type)
 (getter (user_type) @region.type)]
[(type_arguments) (type_parameter) (type_constraint) (type_test) (receiver_type) (super_expression)] @region.type

; What stands in parentheses as a receiver.
(parenthesized_expression [(as_expression) (call_expression)]) @enclosed
(navigation_expression (indexing_expression) @indexed)
