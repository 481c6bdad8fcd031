; Scopes and the names bound in them.
[(anonymous_function) (arrow_function) (property_hook)] @scope.function

(simple_parameter name: (variable_name) @bind)
(variadic_parameter name: (variable_name) @bind)
(property_promotion_parameter name: (variable_name) @bind)
(anonymous_function_use_clause [(variable_name) @bind (by_ref (variable_name) @bind)])
(assignment_expression left: (variable_name) @bind.hoist)
(assignment_expression left: (list_literal [(variable_name) @bind (list_literal (variable_name) @bind) (by_ref (variable_name) @bind)]))
(reference_assignment_expression left: (variable_name) @bind.hoist)
(foreach_statement "as" . [(variable_name) @bind (pair (variable_name) @bind) (by_ref (variable_name) @bind) (pair (by_ref (variable_name) @bind))
  (list_literal (variable_name) @bind) (pair (list_literal (variable_name) @bind))])
(catch_clause name: (variable_name) @bind)
(static_variable_declaration name: (variable_name) @bind)
(global_declaration (variable_name) @bind.global)

; Identifiers that are no references.
(argument name: (name) @skip)
(goto_statement (name) @skip)
(named_label_statement (name) @skip)
(use_as_clause (class_constant_access_expression) (name) @skip)
(use_as_clause (visibility_modifier) (name) @skip)
(declare_directive) @region.skip
(property_hook (name) @skip)
(dynamic_variable_name (name) @skip)
((class_constant_access_expression (name) @skip .) (#eq? @skip "class"))

; Occurrences. Every identifier is a @ref, a qualified name is one; the more telling captures say what it does there.
(name) @ref
[(qualified_name) (relative_name)] @ref.path
(arguments) @called

[(member_access_expression object: _ @receiver) (nullsafe_member_access_expression object: _ @receiver) (member_call_expression object: _ @receiver)
 (nullsafe_member_call_expression object: _ @receiver) (scoped_call_expression scope: _ @receiver) (scoped_property_access_expression scope: _ @receiver)
 (class_constant_access_expression . _ @receiver)]
(scoped_call_expression name: (variable_name (name) @skip))
[(member_call_expression name: (variable_name) @skip) (member_access_expression name: (variable_name) @skip)
 (nullsafe_member_call_expression name: (variable_name) @skip) (nullsafe_member_access_expression name: (variable_name) @skip)]

(object_creation_expression . [(name) (qualified_name) (relative_name)] @ref.call)
(base_clause [(name) (qualified_name) (relative_name)] @ref.inherit)
(interface_declaration (base_clause [(name) (qualified_name) (relative_name)] @ref.extend))
(class_interface_clause [(name) (qualified_name) (relative_name)] @ref.implement)
(use_declaration [(name) (qualified_name) (relative_name)] @ref.mixin)
(use_list (_ (class_constant_access_expression (_) (name) @ref.type)))
(attribute . [(name) (qualified_name) (relative_name)] @ref.decorate)
(assignment_expression left: [(variable_name) @ref.write (member_access_expression name: (name) @ref.write)
  (scoped_property_access_expression name: (variable_name (name) @ref.write))])
(augmented_assignment_expression left: [(variable_name) @ref.write (member_access_expression name: (name) @ref.write)
  (scoped_property_access_expression name: (variable_name (name) @ref.write))])
(update_expression argument: [(variable_name) @ref.write (member_access_expression name: (name) @ref.write)
  (scoped_property_access_expression name: (variable_name (name) @ref.write))])
(binary_expression operator: "instanceof" right: [(name) (qualified_name) (relative_name)] @ref.type)

; What a type stands for.
[(simple_parameter type: (_) @region.accepts) (variadic_parameter type: (_) @region.accepts)]
(property_promotion_parameter type: (_) @region.accepts)
[(function_definition return_type: (_) @region.returns) (method_declaration return_type: (_) @region.returns)]
[(property_declaration type: (_) @region.type) (const_declaration type: (_) @region.type) (catch_clause type: (_) @region.type)
 (anonymous_function return_type: (_) @region.type) (arrow_function return_type: (_) @region.type)]

; Types of receivers.
(parenthesized_expression [(object_creation_expression) (clone_expression) (member_call_expression) (scoped_call_expression) (function_call_expression)]) @enclosed
[(member_access_expression object: (subscript_expression) @indexed) (member_call_expression object: (subscript_expression) @indexed)
 (nullsafe_member_access_expression object: (subscript_expression) @indexed) (nullsafe_member_call_expression object: (subscript_expression) @indexed)]
(binary_expression left: (variable_name) @narrowed.name operator: "instanceof" right: [(name) (qualified_name) (relative_name)] @narrowed.type)
(simple_parameter type: (_) @typed.type name: (variable_name) @typed.name)
(property_promotion_parameter type: (_) @typed.type name: (variable_name) @typed.name)
(catch_clause type: (_) @typed.type name: (variable_name) @typed.name)
(assignment_expression left: (variable_name) @assigned.name right: [(variable_name) (member_access_expression)
  (nullsafe_member_access_expression) (scoped_property_access_expression) (function_call_expression) (member_call_expression)
  (nullsafe_member_call_expression) (scoped_call_expression) (object_creation_expression) (clone_expression)] @assigned.value)
(foreach_statement . (_) @iterated.value . [(variable_name) @iterated.name (pair (_) (variable_name) @iterated.name)])
(assignment_expression left: (variable_name) @either.name right: (binary_expression operator: "??" right: [(variable_name) (object_creation_expression)
  (function_call_expression) (member_call_expression) (scoped_call_expression)] @either.value))
(return_statement [(variable_name) (member_access_expression) (function_call_expression) (member_call_expression) (scoped_call_expression)
  (object_creation_expression)] @returned)
