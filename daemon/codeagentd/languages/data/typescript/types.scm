; What values are made of. Each pattern has one name and what is said of it.
(required_parameter pattern: (identifier) @typed.name type: (type_annotation (_) @typed.type))
(optional_parameter pattern: (identifier) @typed.name type: (type_annotation (_) @typed.type))
(variable_declarator name: (identifier) @typed.name type: (type_annotation (_) @typed.type))
(variable_declarator name: (identifier) @typed.name !type value: (as_expression (_) . (_) @typed.type))

(variable_declarator name: (identifier) @assigned.name !type value: [
  (identifier) @assigned.value (member_expression) @assigned.value (call_expression) @assigned.value (new_expression) @assigned.value (this) @assigned.value
  (subscript_expression) @assigned.value
  (await_expression [(identifier) (member_expression) (call_expression)] @assigned.value) (non_null_expression (_) @assigned.value)
  (array) @assigned.value (string) @assigned.value (template_string) @assigned.value (regex) @assigned.value])
(assignment_expression left: [(identifier) @assigned.name (member_expression object: (this) property: (_) @assigned.name)] right: [
  (identifier) @assigned.value (member_expression) @assigned.value (call_expression) @assigned.value (new_expression) @assigned.value
  (await_expression [(identifier) (member_expression) (call_expression)] @assigned.value) (array) @assigned.value (string) @assigned.value])
(public_field_definition name: (_) @assigned.name !type value: [(identifier) (member_expression) (call_expression) (new_expression)] @assigned.value)
(variable_declarator name: (identifier) @either.name !type value: (binary_expression operator: ["??" "||"] right: [(identifier) (call_expression) (new_expression)] @either.value))
(variable_declarator name: (array_pattern . (identifier) @iterated.name) !type value: [(identifier) (member_expression) (call_expression)] @iterated.value)
(for_in_statement left: (identifier) @iterated.name operator: "of" right: [(identifier) (member_expression) (call_expression)] @iterated.value)
(return_statement [(identifier) (member_expression) (call_expression) (new_expression) (this)] @returned)
(arrow_function body: [(identifier) (member_expression) (call_expression) (new_expression)] @returned)

(object_pattern) @pattern

; Parameters without a type: those of functions that are handed to a call get one from the callee. The call is not matched: it would wait for its end.
(arrow_function parameter: (identifier) @handed)
(required_parameter pattern: (identifier) @handed !type !value)
(optional_parameter pattern: (identifier) @handed !type !value)

; What tests say of a variable, where they hold.
(binary_expression left: (identifier) @narrowed.name operator: "instanceof" right: (_) @narrowed.type)
