; Local variables.
[(subroutine) (function) (program)] @scope.function
(parameters (identifier) @bind)
(function_result (identifier) @bind)
(variable_declaration declarator: [(identifier) @bind (sized_declarator . (identifier) @bind)
  (init_declarator left: [(identifier) @bind (sized_declarator . (identifier) @bind)])
  (pointer_init_declarator left: [(identifier) @bind (sized_declarator . (identifier) @bind)])])

; Occurrences.
(identifier) @ref
(derived_type name: (type_name) @ref @ref.type)
(method_name) @ref
(type_member) @ref
(derived_type_member_expression . (_) @receiver)

(subroutine_call subroutine: (identifier) @ref.call)
(subroutine_call subroutine: (derived_type_member_expression (type_member) @ref.call))
(keyword_argument name: (identifier) @skip)
(variable_declaration type: (derived_type name: (type_name) @typed.type) declarator: (identifier) @typed.name)
(assignment_statement left: (derived_type_member_expression (type_member) @ref.write .))
