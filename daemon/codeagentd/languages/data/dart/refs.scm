; Scopes and the names bound in them.
(function_expression) @scope.function
[(block) (for_statement) (for_element) (if_statement) (try_statement) (switch_statement_case) (switch_expression_case)] @scope.block

(formal_parameter name: (identifier) @bind)
(formal_parameter . (identifier) @bind .)
(constructor_param (identifier) @bind)
(super_formal_parameter (identifier) @bind)
(initialized_variable_definition name: (identifier) @bind)
(local_variable_declaration (initialized_variable_definition (initialized_identifier . (identifier) @bind)))
(for_loop_parts name: (identifier) @bind)
(catch_parameters (identifier) @bind)
(variable_pattern (identifier) @bind .)
(pattern_variable_declaration (record_pattern (constant_pattern (identifier) @bind)))
(type_parameter (type_identifier) @bind.type)

; Identifiers that are no references.
(label (identifier) @skip)
(break_statement (identifier) @skip)
(continue_statement (identifier) @skip)
(library_name) @region.skip
(typed_identifier (identifier) @skip)
((cascade_section) . (cascade_section (cascade_selector (identifier) @skip)))

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(identifier) @ref
(type_identifier) @typename
(arguments) @called
(type_arguments) @generic
(_ (_) @receiver . (cascade_section))
(annotation name: (identifier) @ref.decorate)
(assignment_expression left: (assignable_expression (identifier) @ref.write .))
(assignment_expression left: (assignable_expression (unconditional_assignable_selector (identifier) @ref.write) .))
(field_initializer . (identifier) @ref.write)
(formal_parameter (type_identifier) @ref.accepts)
(function_signature (type_identifier) @ref.returns name: (_))
(new_expression (type_identifier) @ref.call)
(const_object_expression (type_identifier) @ref.call)
(qualified (type_identifier) @ref.read)
