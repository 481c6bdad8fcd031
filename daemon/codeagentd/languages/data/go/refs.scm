; Scopes and the names bound in them.
[(func_literal) (function_type)] @scope.function
[(if_statement) (for_statement) (expression_switch_statement) (type_switch_statement) (expression_case) (default_case) (type_case) (communication_case)] @scope.block
(statement_list (block) @scope.block)
(if_statement [consequence: (block) @scope.block alternative: (block) @scope.block])
(for_statement body: (block) @scope.block)

(parameter_declaration name: (identifier) @bind)
(variadic_parameter_declaration name: (identifier) @bind)
(short_var_declaration left: (expression_list (identifier) @bind))
(var_spec name: (identifier) @bind)
(const_spec (identifier) @bind)
(range_clause left: (expression_list (identifier) @bind) ":=")
(receive_statement left: (expression_list (identifier) @bind) ":=")
(short_var_declaration left: (_) @declared) @declaration
(range_clause left: (_) @declared) @declaration
(receive_statement left: (_) @declared) @declaration
(var_spec name: (_) @declared) @declaration
(const_spec (identifier) @declared) @declaration
(type_switch_statement alias: (expression_list (identifier) @bind))
(type_parameter_declaration name: (identifier) @bind.type)
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @bind.type)))
  (pointer_type (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @bind.type))))])))

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
[(identifier) (package_identifier)] @ref
(type_identifier) @typename
(selector_expression field: (field_identifier) @member)
(selector_expression operand: (call_expression arguments: (_) @arguments))
(type_arguments) @generic
(qualified_type package: (package_identifier) @ref.read name: (type_identifier) @member)

; `Make[int](x)`: an index that can only be a type; `handlers[i](x)` calls an element.
((call_expression function: (index_expression operand: [(identifier) @ref.call (selector_expression field: (_) @ref.call)] index: (_) @_index) @instantiated)
  (#match? @_index "^([A-Z*]|\\[|map\\[|(any|bool|string|byte|rune|error|u?int[0-9]*|float[0-9]+)$|[a-z0-9]+[.][A-Z])"))
(call_expression function: [(identifier) @ref.call (selector_expression field: (_) @ref.call)] type_arguments: (_))
(type_conversion_expression type: (generic_type type: [(type_identifier) @ref.call (qualified_type name: (type_identifier) @ref.call)])) @built

; What members hang on besides names and calls.
(selector_expression operand: (index_expression) @indexed)
(index_expression operand: (call_expression arguments: (_) @arguments))
(parenthesized_expression (call_expression arguments: (_) @arguments))
(selector_expression operand: (composite_literal type: [(type_identifier) (qualified_type) (generic_type)]) @built)
(selector_expression operand: (type_assertion_expression type: [(type_identifier) (qualified_type) (generic_type) (pointer_type)]) @built)
(selector_expression operand: (parenthesized_expression [
  (identifier) (selector_expression) (call_expression)
  (composite_literal type: [(type_identifier) (qualified_type) (generic_type)]) @built
  (unary_expression operator: "&" operand: (composite_literal type: [(type_identifier) (qualified_type) (generic_type)]) @built)
  (unary_expression operator: ["*" "&"] operand: [(identifier) (selector_expression) (call_expression)])]) @enclosed)

(type_spec type: (struct_type (field_declaration_list (field_declaration !name type: [
  (type_identifier) @ref.embed (qualified_type name: (type_identifier) @ref.embed)
  (generic_type type: [(type_identifier) @ref.embed (qualified_type name: (type_identifier) @ref.embed)])]))))
(type_spec type: (interface_type (type_elem . [
  (type_identifier) @ref.inherit (qualified_type name: (type_identifier) @ref.inherit)
  (generic_type type: [(type_identifier) @ref.inherit (qualified_type name: (type_identifier) @ref.inherit)])] .)))

(assignment_statement left: (expression_list [(identifier) @ref.write (selector_expression field: (_) @ref.write)]))
(inc_statement [(identifier) @ref.write (selector_expression field: (_) @ref.write)])
(dec_statement [(identifier) @ref.write (selector_expression field: (_) @ref.write)])
(range_clause left: (expression_list [(identifier) @ref.write (selector_expression field: (_) @ref.write)]) "=")

; Keys of a composite literal are fields where its type is a name, and expressions where it is a map or an array; elided
; braces stand for the element's type.
(composite_literal type: [(type_identifier) (qualified_type) (generic_type)] @instance body: (literal_value) @initializer)
(composite_literal type: [(type_identifier) (qualified_type) (generic_type)]
  body: (literal_value (keyed_element . (literal_element (identifier) @initialized))))
(composite_literal type: (struct_type) body: (literal_value (keyed_element . (literal_element (identifier) @skip))))
(literal_value) @initializer.unknown
(literal_element (literal_value (keyed_element . (literal_element (identifier) @initialized))))
(composite_literal type: [
  (slice_type element: [(type_identifier) (qualified_type) (generic_type) (pointer_type [(type_identifier) (qualified_type) (generic_type)])] @instance.element)
  (array_type element: [(type_identifier) (qualified_type) (generic_type) (pointer_type [(type_identifier) (qualified_type) (generic_type)])] @instance.element)
  (implicit_length_array_type element: [(type_identifier) (qualified_type) (pointer_type [(type_identifier) (qualified_type)])] @instance.element)
  (map_type value: [(type_identifier) (qualified_type) (generic_type) (pointer_type [(type_identifier) (qualified_type) (generic_type)])] @instance.element)]
  body: (literal_value) @initializer.elements)
(composite_literal type: [
  (slice_type element: (slice_type element: [(type_identifier) (qualified_type) (pointer_type [(type_identifier) (qualified_type)])] @instance.element))
  (map_type value: (slice_type element: [(type_identifier) (qualified_type) (pointer_type [(type_identifier) (qualified_type)])] @instance.element))]
  body: (literal_value [(literal_element (literal_value) @initializer.elements) (keyed_element value: (literal_element (literal_value) @initializer.elements))]))
(composite_literal type: [
  (slice_type element: [(slice_type) (array_type) (map_type)]) (array_type element: [(slice_type) (array_type) (map_type)])
  (implicit_length_array_type element: [(slice_type) (array_type) (map_type)]) (map_type value: [(slice_type) (array_type) (map_type)])]
  body: (literal_value [
    (literal_element (literal_value (keyed_element . (literal_element (identifier) @uninitialized))))
    (keyed_element value: (literal_element (literal_value (keyed_element . (literal_element (identifier) @uninitialized)))))]))
(composite_literal type: [(slice_type element: (struct_type)) (array_type element: (struct_type)) (implicit_length_array_type element: (struct_type))]
  body: (literal_value (literal_element (literal_value (keyed_element . (literal_element (identifier) @skip))))))
(composite_literal type: (map_type value: (struct_type))
  body: (literal_value (keyed_element value: (literal_element (literal_value (keyed_element . (literal_element (identifier) @skip)))))))

(function_declaration parameters: (parameter_list (_ type: (_) @region.accepts)))
(method_declaration parameters: (parameter_list (_ type: (_) @region.accepts)))
(method_elem parameters: (parameter_list (_ type: (_) @region.accepts)))
(function_declaration result: (_) @region.returns)
(method_declaration result: (_) @region.returns)
(method_elem result: (_) @region.returns)
