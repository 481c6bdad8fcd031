; Scopes and the names bound in them. The parameters of a pointer to a function are its own.
(function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
  (identifier) (field_identifier) (type_identifier) (array_declarator) (pointer_declarator)])) parameters: (_) @scope.function)
(type_definition declarator: (function_declarator) @scope.function)
[(abstract_function_declarator) (lambda_expression) (friend_declaration) (requires_expression)] @scope.function
[(for_statement) (for_range_loop) (catch_clause)] @scope.block
(compound_statement (compound_statement) @scope.block)
(if_statement (compound_statement) @scope.block)
(else_clause (compound_statement) @scope.block)
(while_statement (compound_statement) @scope.block)
(do_statement (compound_statement) @scope.block)
(switch_statement (compound_statement) @scope.block)
(case_statement (compound_statement) @scope.block)
(try_statement (compound_statement) @scope.block)

; A variable of the file or a namespace is a definition, any other a local variable.
(declaration declarator: (identifier) @bind.define)
(init_declarator declarator: (identifier) @bind.define)
(pointer_declarator declarator: (identifier) @bind.define)
(reference_declarator (identifier) @bind.define)
(array_declarator declarator: (identifier) @bind.define)
(parenthesized_declarator (identifier) @bind.define)
(attributed_declarator (identifier) @bind.define)
(structured_binding_declarator (identifier) @bind.define)
(parameter_declaration declarator: (identifier) @bind)
(optional_parameter_declaration declarator: (identifier) @bind)
(variadic_declarator (identifier) @bind)
(for_range_loop declarator: (identifier) @bind)
(lambda_capture_initializer left: (identifier) @bind)
(template_parameter_list (parameter_declaration declarator: (identifier) @bind.type))
(type_parameter_declaration (type_identifier) @bind.type)
(variadic_type_parameter_declaration (type_identifier) @bind.type)
(optional_type_parameter_declaration name: (type_identifier) @bind.type)
; `Shelf top(books);` may look like the declaration of a function
(compound_statement (declaration declarator: (function_declarator declarator: (identifier) @bind)))

; What is no name of the program.
[(attribute_specifier) (attribute_declaration) (ms_declspec_modifier) (gnu_asm_expression) (preproc_params) (literal_suffix)] @region.skip
(destructor_name (identifier) @skip)
(operator_name (identifier) @skip)

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(identifier) @ref
[(type_identifier) (namespace_identifier)] @typename
(field_identifier) @member
(qualified_identifier scope: (_) name: [
  (identifier) @member (type_identifier) @member (template_type name: (_) @member) (template_function name: (_) @member)
  (template_method name: (_) @member) (dependent_name (_) @member)
  (qualified_identifier scope: [(namespace_identifier) @member (template_type name: (_) @member)])])
(qualified_identifier . "::" name: [  ; ::lend, ::Shelf, ::shelves::lend
  (identifier) @outermost (type_identifier) @outermost (template_type name: (_) @outermost) (template_function name: (_) @outermost)
  (qualified_identifier scope: [(namespace_identifier) @outermost (template_type name: (_) @outermost)])])
[(preproc_def value: (_)) (preproc_function_def value: (_))] @macro
((preproc_call directive: (preproc_directive) @directive argument: (preproc_arg) @hidden) (#match? @directive "undef"))

(template_argument_list) @generic
(field_expression argument: (call_expression arguments: (_) @arguments))
; The name before arguments is called. The calls themselves are not matched: chains of them nest to the left, and each would wait for its end.
(argument_list) @called
(argument_list [
  (identifier) (field_expression) (call_expression) (this)
  (pointer_expression argument: [(identifier) (field_expression)])] @argument)
(argument_list [(string_literal) (raw_string_literal) (concatenated_string)] @argument.text)
(argument_list (char_literal) @argument.char)
(argument_list [(true) (false)] @argument.bool)
((argument_list (number_literal) @argument.int) (#match? @argument.int "^(0[xX][0-9a-fA-F]+|[0-9]+)$"))
((argument_list (number_literal) @argument.double) (#match? @argument.double "^[0-9]*[.][0-9]*([eE][-+]?[0-9]+)?$"))
(argument_list (lambda_expression) @argument.function)
(call_expression function: (parenthesized_expression (identifier) @ref.call))
(new_expression type: [(type_identifier) @ref.call (qualified_identifier name: (type_identifier) @ref.call) (template_type name: (_) @ref.call)])
(compound_literal_expression type: [(type_identifier) @ref.call (qualified_identifier name: (type_identifier) @ref.call)])
(assignment_expression left: [(identifier) @ref.write (field_expression field: (_) @ref.write)])
(update_expression argument: [(identifier) @ref.write (field_expression field: (_) @ref.write)])
(initializer_pair designator: (field_designator (field_identifier) @ref.write))

; Members named without their object: `struct book b = { .pages = 1 }`, `(struct book){ .pages = 1 }`; elements of an array are of its type.
(initializer_list) @initializer.unknown
(initializer_pair . designator: (field_designator (field_identifier) @initialized))
(initializer_pair . designator: (field_designator (field_identifier) @instance) . value: (initializer_list) @initializer)
(declaration type: [(type_identifier) @instance (struct_specifier name: (_) @instance) (union_specifier name: (_) @instance)]
  declarator: (init_declarator declarator: [(identifier) (array_declarator)] value: (initializer_list) @initializer))
(declaration type: [(type_identifier) (struct_specifier name: (_)) (union_specifier name: (_))]
  declarator: (init_declarator declarator: (array_declarator) value: (initializer_list (initializer_list) @initializer)))
(compound_literal_expression type: [(type_identifier) @instance (qualified_identifier name: (type_identifier) @instance)] value: (initializer_list) @initializer)
(field_initializer [(field_identifier) @ref @ref.write (template_method name: (field_identifier) @ref)])
(field_expression argument: (subscript_expression) @indexed)

(base_class_clause [
  (type_identifier) @ref.inherit
  (template_type name: (_) @ref.inherit)
  (qualified_identifier name: [
    (type_identifier) @ref.inherit
    (template_type name: (_) @ref.inherit)
    (qualified_identifier name: [(type_identifier) @ref.inherit (template_type name: (_) @ref.inherit)])])])

; What a type stands for: the outermost range counts.
(parameter_declaration type: (_) @region.accepts)
(optional_parameter_declaration type: (_) @region.accepts)
(variadic_parameter_declaration type: (_) @region.accepts)
(template_parameter_list (parameter_declaration type: (_) @region.type))
(catch_clause parameters: (parameter_list (parameter_declaration type: (_) @region.type)))
(function_definition type: (_) @region.returns)
(declaration type: (_) @region.returns declarator: [
  (function_declarator) (pointer_declarator declarator: (function_declarator)) (reference_declarator (function_declarator))])
(compound_statement (declaration type: (_) @region.type declarator: (function_declarator)))
(field_declaration type: (_) @region.returns declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name)])
  (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)]))
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)]))])
(trailing_return_type (_) @region.returns)
(operator_cast type: (_) @region.returns)

(comment) @comment
