; What values are made of. Each pattern has one name and what is said of it: the first of several declarators, for a type is captured once.
(parameter_declaration type: [(type_identifier) (qualified_identifier) (template_type) (struct_specifier !body) (class_specifier !body)] @typed.type . declarator: [
  (identifier) @typed.name
  (pointer_declarator declarator: [(identifier) @typed.name (pointer_declarator declarator: (identifier) @typed.name) (reference_declarator (identifier) @typed.name)])
  (reference_declarator (identifier) @typed.name)
  (array_declarator declarator: (identifier) @typed.name)])
(optional_parameter_declaration type: [(type_identifier) (qualified_identifier) (template_type)] @typed.type . declarator: [
  (identifier) @typed.name
  (pointer_declarator declarator: (identifier) @typed.name)
  (reference_declarator (identifier) @typed.name)])
(declaration type: [(type_identifier) (qualified_identifier) (template_type) (struct_specifier !body) (class_specifier !body)] @typed.type . declarator: [
  (identifier) @typed.name
  (pointer_declarator declarator: [(identifier) @typed.name (pointer_declarator declarator: (identifier) @typed.name)])
  (reference_declarator (identifier) @typed.name)
  (function_declarator declarator: (identifier) @typed.name)
  (init_declarator declarator: [
    (identifier) @typed.name
    (pointer_declarator declarator: [(identifier) @typed.name (pointer_declarator declarator: (identifier) @typed.name)])
    (reference_declarator (identifier) @typed.name)])])
(for_range_loop type: [(type_identifier) (qualified_identifier) (template_type)] @typed.type . declarator: [
  (identifier) @typed.name
  (pointer_declarator declarator: (identifier) @typed.name)
  (reference_declarator (identifier) @typed.name)])
((declaration type: (placeholder_type_specifier) . declarator: (init_declarator declarator: [
    (identifier) @typed.name (pointer_declarator declarator: (identifier) @typed.name) (reference_declarator (identifier) @typed.name)]
  value: (call_expression function: [
    (template_function name: (identifier) @cast arguments: (template_argument_list . (type_descriptor type: (_) @typed.type) .))
    (qualified_identifier name: (template_function name: (identifier) @cast arguments: (template_argument_list . (type_descriptor type: (_) @typed.type) .)))])))
  (#match? @cast "_cast$|^make_(unique|shared)$"))

(declaration type: (placeholder_type_specifier) . declarator: (init_declarator declarator: [
    (identifier) @assigned.name (pointer_declarator declarator: (identifier) @assigned.name) (reference_declarator (identifier) @assigned.name)]
  value: [(identifier) @assigned.value (field_expression) @assigned.value (new_expression) @assigned.value (this) @assigned.value
    (call_expression function: [(identifier) (field_expression) (qualified_identifier name: [(identifier) (qualified_identifier)])]) @assigned.value
    (subscript_expression) @assigned.value @indexed
    (co_await_expression argument: [(identifier) (field_expression) (call_expression)] @assigned.value)]))
(for_range_loop type: (placeholder_type_specifier) declarator: [(identifier) @iterated.name (reference_declarator (identifier) @iterated.name)]
  right: [(identifier) (field_expression) (call_expression)] @iterated.value)
