; What values are made of. Each pattern has one name and what is said of it.
(parameter name: (identifier) @typed.name type: [(type_identifier) (generic_type) (stable_type_identifier) (infix_type)] @typed.type)
(class_parameter name: (identifier) @typed.name type: [(type_identifier) (generic_type) (stable_type_identifier) (infix_type)] @typed.type)
(binding name: (identifier) @typed.name type: [(type_identifier) (generic_type) (stable_type_identifier)] @typed.type)
(val_definition pattern: (identifier) @typed.name type: [(type_identifier) (generic_type) (stable_type_identifier)] @typed.type)
(var_definition pattern: (identifier) @typed.name type: [(type_identifier) (generic_type) (stable_type_identifier)] @typed.type)
(typed_pattern pattern: (identifier) @typed.name type: [(type_identifier) (generic_type) (stable_type_identifier)] @typed.type)
(capture_pattern name: (identifier) @typed.name pattern: (case_class_pattern type: (_) @typed.type))
; Parameters without a type: those of functions that are handed to a call get one from the callee.
(lambda_expression parameters: (identifier) @handed)
(binding name: (identifier) @handed !type)
; What has a class of its own is known by what that extends.
(val_definition pattern: (identifier) @typed.name !type value: (instance_expression . [
  (type_identifier) @typed.type (generic_type) @typed.type (stable_type_identifier) @typed.type (compound_type base: (_) @typed.type)] (template_body)))
(var_definition pattern: (identifier) @typed.name !type value: (instance_expression . [
  (type_identifier) @typed.type (generic_type) @typed.type (stable_type_identifier) @typed.type (compound_type base: (_) @typed.type)] (template_body)))

(val_definition pattern: (identifier) @assigned.name !type
  value: [(identifier) (field_expression) (call_expression) (generic_function) (instance_expression)] @assigned.value)
(var_definition pattern: (identifier) @assigned.name !type
  value: [(identifier) (field_expression) (call_expression) (generic_function) (instance_expression)] @assigned.value)
(enumerator . (identifier) @assigned.name "=" . [(identifier) (field_expression) (call_expression) (generic_function) (instance_expression)] @assigned.value)
(enumerator . (identifier) @iterated.name "<-" . [(identifier) (field_expression) (call_expression) (generic_function)] @iterated.value)
(function_definition !return_type body: [(identifier) (field_expression) (call_expression) (generic_function) (instance_expression)] @returned)
(function_definition !return_type body: (block [(identifier) (field_expression) (call_expression) (generic_function) (instance_expression)] @returned . (comment)* .))
(function_definition !return_type body: (indented_block [(identifier) (field_expression) (call_expression) (generic_function) (instance_expression)] @returned . (comment)* .))
