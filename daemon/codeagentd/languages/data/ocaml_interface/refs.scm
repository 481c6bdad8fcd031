; Scopes and the names bound in them.
(let_expression (value_definition (let_binding pattern: (value_name)) @scope.function))
[(fun_expression) (match_case) (for_expression) (method_definition) (class_binding)] @scope.function
[(let_expression) (let_module_expression) (let_open_expression) (local_open_expression) (let_exception_expression) (class_function) (let_class_expression) (object_expression)] @scope.block
(value_pattern) @bind
(let_expression (value_definition (let_binding pattern: [(value_name) @bind.outer (parenthesized_operator (_) @bind.outer)])))
(let_expression (value_definition (let_binding pattern: (_) @bind.pattern)))
((value_definition (let_binding pattern: [(value_name) @declared (parenthesized_operator (_) @declared)]) @declaration) @_let
  (#not-match? @_let "^let[%a-z. ]*\\srec\\b"))
(let_class_expression (value_definition (let_binding pattern: (value_name) @bind)))
(class_body_type (_) @scope.block)
(package_pattern (module_name) @bind.type)
(let_module_expression (module_definition (module_binding (module_name) @bind.type)))
(instance_variable_definition (instance_variable_name) @bind)

; Identifiers that are no references.
(parameter (label_name) @skip)
(module_binding (module_name) @skip)
[(value_specification (value_name) @skip) (value_specification (parenthesized_operator (_) @skip)) (external (parenthesized_operator (_) @skip))]
(let_binding pattern: (parenthesized_operator (_) @skip))

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there. Fields have names of their
; own, as members of a value.
[(value_name) (constructor_name) (instance_variable_name) (let_operator) (let_and_operator)] @ref
[(type_constructor) (module_name) (module_type_name) (class_name) (class_type_name)] @ref @typename
[(add_operator) (mult_operator) (rel_operator) (concat_operator) (pow_operator) (and_operator) (or_operator) (assign_operator)
 (hash_operator) (prefix_operator) (sign_operator) (indexing_operator)] @ref @ref.call
(application_expression function: (value_path (value_name) @ref.call))
(infix_expression operator: (_) @_pipe right: (value_path (value_name) @ref.call) (#eq? @_pipe "|>"))
(infix_expression left: (value_path (value_name) @ref.call) operator: (_) @_apply (#eq? @_apply "@@"))
(field_path . (field_name) @ref @initialized @destructured)
(field_path (module_path) . (field_name) @ref @destructured)
(field_pattern (field_path . (field_name) @bind @initialized.bound) !pattern)
(field_expression (field_path (field_name) @ref.write))
(set_expression (field_get_expression field: (field_path (field_name) @ref.write)))
(method_invocation method: (method_name) @ref @initialized @ref.call)
(module_path (module_path (module_name) @receiver .) . ".")
(extended_module_path (extended_module_path (module_name) @receiver .) . ".")
(value_path (module_path (module_name) @receiver .) . ".")
(constructor_path (module_path (module_name) @receiver .) . ".")
(field_path (module_path (module_name) @receiver .) . ".")
(class_path (module_path (module_name) @receiver .) . ".")
(type_constructor_path (extended_module_path (module_name) @receiver .) . ".")
(module_type_path (extended_module_path (module_name) @receiver .) . ".")
(class_type_path (extended_module_path (module_name) @receiver .) . ".")
