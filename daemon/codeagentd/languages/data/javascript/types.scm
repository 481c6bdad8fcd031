; What values are made of, told by what is assigned: there are no written types. Each pattern has one name and what is said of it.
(variable_declarator name: (identifier) @assigned.name value: [
  (identifier) @assigned.value (member_expression) @assigned.value (call_expression) @assigned.value (new_expression) @assigned.value (this) @assigned.value
  (subscript_expression) @assigned.value
  (await_expression [(identifier) (member_expression) (call_expression)] @assigned.value)
  (array) @assigned.value (string) @assigned.value (template_string) @assigned.value (regex) @assigned.value])
(assignment_expression left: [(identifier) @assigned.name (member_expression object: (this) property: (_) @assigned.name)] right: [
  (identifier) @assigned.value (member_expression) @assigned.value (call_expression) @assigned.value (new_expression) @assigned.value
  (await_expression [(identifier) (member_expression) (call_expression)] @assigned.value) (array) @assigned.value (string) @assigned.value])
(field_definition property: (_) @assigned.name value: [(identifier) (member_expression) (call_expression) (new_expression)] @assigned.value)
(for_in_statement left: (identifier) @iterated.name operator: "of" right: [(identifier) (member_expression) (call_expression)] @iterated.value)
(return_statement [(identifier) (member_expression) (call_expression) (new_expression) (this)] @returned)
(arrow_function body: [(identifier) (member_expression) (call_expression) (new_expression)] @returned)

(object_pattern) @pattern

; What tests say of a variable, where they hold.
(binary_expression left: (identifier) @narrowed.name operator: "instanceof" right: (_) @narrowed.type)
