; Scopes and the names bound in them. The parameters of a pointer to a function are its own.
(function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
  (identifier) (field_identifier) (type_identifier) (array_declarator) (pointer_declarator)])) parameters: (_) @scope.function)
(type_definition declarator: (function_declarator) @scope.function)
(abstract_function_declarator) @scope.function
(for_statement) @scope.block
(compound_statement (compound_statement) @scope.block)
(if_statement (compound_statement) @scope.block)
(else_clause (compound_statement) @scope.block)
(while_statement (compound_statement) @scope.block)
(do_statement (compound_statement) @scope.block)
(switch_statement (compound_statement) @scope.block)
(case_statement (compound_statement) @scope.block)

; A variable of the file is a definition, any other a local variable.
(declaration declarator: (identifier) @bind.define)
(init_declarator declarator: (identifier) @bind.define)
(pointer_declarator declarator: (identifier) @bind.define)
(array_declarator declarator: (identifier) @bind.define)
(parenthesized_declarator (identifier) @bind.define)
(parameter_declaration declarator: (identifier) @bind)
(compound_statement (declaration declarator: (function_declarator declarator: (identifier) @skip)))

; What is no name of the program.
[(attribute_specifier) (attribute_declaration) (ms_declspec_modifier) (gnu_asm_expression) (preproc_params)] @region.skip

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(identifier) @ref
[(true) (false)] @ref  ; which headers may define
(type_identifier) @typename
(field_identifier) @member
[(struct_specifier name: (type_identifier) @tag) (union_specifier name: (type_identifier) @tag) (enum_specifier name: (type_identifier) @tag)]
[(preproc_def value: (_)) (preproc_function_def value: (_))] @macro
((preproc_call directive: (preproc_directive) @directive argument: (preproc_arg) @hidden) (#match? @directive "undef"))

(field_expression argument: (call_expression arguments: (_) @arguments))
(call_expression function: (parenthesized_expression (identifier) @ref.call))
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
(compound_literal_expression type: (type_descriptor type: [(type_identifier) @instance (struct_specifier name: (_) @instance)]) value: (initializer_list) @initializer)

; What a type stands for: the outermost range counts.
(parameter_declaration type: (_) @region.accepts)
(function_definition type: (_) @region.returns)
(declaration type: (_) @region.returns declarator: [
  (function_declarator declarator: [(identifier) (parenthesized_declarator (identifier))])
  (pointer_declarator declarator: [
    (function_declarator declarator: [(identifier) (parenthesized_declarator (identifier))])
    (pointer_declarator declarator: (function_declarator declarator: [(identifier) (parenthesized_declarator (identifier))]))])])

(comment) @comment
