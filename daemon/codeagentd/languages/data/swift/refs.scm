; Scopes and the names bound in them.
[(lambda_literal) (computed_property) (willset_didset_block)] @scope.function
[(computed_setter) (willset_clause) (didset_clause) (catch_block)] @scope.block @bind.implicit
[(if_statement) (while_statement) (for_statement) (switch_entry) (do_statement) (repeat_while_statement)] @scope.block
(_ "guard" (statements) @scope.block)

(_ bound_identifier: (simple_identifier) @bind)
(pattern (pattern (simple_identifier) @bind.lower))
(_ condition: (pattern (simple_identifier) @bind.lower))
(parameter name: (simple_identifier) @bind)
(lambda_parameter name: (simple_identifier) @bind)
(capture_list_item name: (simple_identifier) @bind value: (_))
(computed_setter (simple_identifier) @bind)
(willset_clause (simple_identifier) @bind)
(didset_clause (simple_identifier) @bind)
(type_parameter . (type_identifier) @bind.type)

; A name holds from the end of its value on: `if let shelf = shelf`.
(_ bound_identifier: (simple_identifier) @since.name . "=" . (_) @since.value)
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @since.name) . value: (_) @since.value))

; Identifiers that are no references.
(parameter external_name: (simple_identifier) @skip)
(value_argument_label) @region.skip
(call_suffix name: (simple_identifier) @skip)
(enum_type_parameters (simple_identifier) @skip)
(pattern (simple_identifier) @skip . ":")
(class_declaration "extension" name: (user_type . (type_identifier) @name.around . (type_identifier)))
(class_declaration "extension" name: (user_type (type_identifier) @skip .))
(class_declaration "extension" name: (user_type (type_identifier) @skip . (type_arguments) .))
(tuple_type_item (simple_identifier) @skip)
(tuple_expression name: (simple_identifier) @skip)
(lambda_parameter external_name: (simple_identifier) @skip)
(attribute (simple_identifier) @skip)
(control_transfer_statement ["continue" "break"] . (simple_identifier) @skip)
[(directive) (availability_condition) (operator_declaration) (precedence_group_declaration) (macro_definition)] @region.skip

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(simple_identifier) @ref
(type_identifier) @typename
(user_type (type_identifier) @ref.read . (type_identifier))
(type_arguments) @generic

; The name before arguments is called; brackets are a subscript.
(call_suffix (value_arguments "(")) @called
(call_suffix . (lambda_literal)) @called
(constructor_expression constructed_type: (user_type (type_identifier) @ref.call))
(constructor_suffix) @called
(value_argument value: [(simple_identifier) (navigation_expression) (call_expression) (self_expression)] @argument)
(value_argument value: [(line_string_literal) (multi_line_string_literal) (raw_string_literal)] @argument.string)
(value_argument value: [(integer_literal) (hex_literal)] @argument.number)
(value_argument value: (real_literal) @argument.real)
(value_argument value: (boolean_literal) @argument.boolean)
(value_argument value: (array_literal) @argument.array)
(value_argument value: (dictionary_literal) @argument.dictionary)
(value_argument value: (lambda_literal) @argument.function)
(call_suffix (lambda_literal) @argument.function @block)
(call_expression (call_suffix (value_arguments "["))) @indexed
(macro_invocation (simple_identifier) @ref.call)

(inheritance_specifier inherits_from: (user_type (type_identifier) @ref.inherit .))
(inheritance_specifier inherits_from: (user_type (type_identifier) @ref.inherit . (type_arguments)))
(attribute (user_type (type_identifier) @ref.decorate))
(assignment target: (_ [(simple_identifier) @ref.write (_ suffix: (_ suffix: (simple_identifier) @ref.write))]))

; What a type stands for.
(parameter) @region.accepts
(lambda_parameter) @region.type
(function_declaration "->" . (_) @region.returns)
(protocol_function_declaration "->" . (_) @region.returns)
(subscript_declaration "->" . (_) @region.returns)

; Receivers that say themselves what they are.
(navigation_expression . [(line_string_literal) (multi_line_string_literal) (raw_string_literal)] @literal.string)
(navigation_expression . [(integer_literal) (hex_literal)] @literal.number)
(navigation_expression . (real_literal) @literal.real)
(navigation_expression . (boolean_literal) @literal.boolean)
(navigation_expression . (array_literal) @literal.array)
(navigation_expression . (dictionary_literal) @literal.dictionary)
