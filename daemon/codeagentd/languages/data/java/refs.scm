; Scopes and the names bound in them.
[(lambda_expression) (static_initializer)] @scope.function
(class_body (block) @scope.function)
(enum_constant body: (class_body) @scope.class)
[(for_statement) (enhanced_for_statement) (try_with_resources_statement) (catch_clause) (switch_block) (switch_rule)] @scope.block
[(block (block) @scope.block) (constructor_body (block) @scope.block) (if_statement (block) @scope.block) (while_statement (block) @scope.block)
 (do_statement (block) @scope.block) (try_statement (block) @scope.block) (finally_clause (block) @scope.block) (labeled_statement (block) @scope.block)
 (synchronized_statement (block) @scope.block) (switch_block_statement_group (block) @scope.block)]

(variable_declarator name: (identifier) @bind)
(formal_parameter name: (identifier) @bind)
(lambda_expression parameters: (identifier) @bind)
(inferred_parameters (identifier) @bind)
(enhanced_for_statement name: (identifier) @bind)
(resource name: (identifier) @bind)
(catch_formal_parameter name: (identifier) @bind)
(instanceof_expression name: (identifier) @bind)
(type_pattern (identifier) @bind .)
(record_pattern_component (identifier) @bind .)
(type_parameter . (type_identifier) @bind.type)
(type_parameter [(marker_annotation) (annotation)] . (type_identifier) @bind.type)

; Identifiers that are no references.
(labeled_statement . (identifier) @skip)
(break_statement (identifier) @skip)
(continue_statement (identifier) @skip)
(requires_module_directive) @region.skip
(exports_module_directive modules: (_) @region.skip)
(opens_module_directive modules: (_) @region.skip)

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(identifier) @ref
(type_identifier) @typename
(scoped_type_identifier . [(type_identifier) @ref.read (scoped_type_identifier (type_identifier) @ref.read .) (generic_type . (type_identifier) @ref.read)])
(method_reference . (_) @receiver)
(method_reference "::" (identifier) @ref.call)
(method_reference . [(identifier) @ref.call (field_access field: (identifier) @ref.call) (generic_type . (type_identifier) @ref.call)] "new")
(type_arguments) @generic
; What members hang on besides names and calls; a class literal is an object of the library's.
(array_access) @indexed
(parenthesized_expression [(identifier) (field_access) (method_invocation) (array_access) (object_creation_expression)]) @enclosed
(parenthesized_expression (cast_expression type: [(type_identifier) (generic_type) (scoped_type_identifier)])) @built
(class_literal) @literal
; The elements of an annotation.
(annotation name: (_) @instance arguments: (annotation_argument_list) @initializer @initializer.unknown)
(element_value_pair key: (identifier) @ref.use @initialized)
(object_creation_expression (class_body) @arguments)

; The name before arguments is called. The calls themselves are not matched: chains of them nest to the left, and each would wait for its end.
(argument_list) @called
(argument_list [(identifier) (field_access) (method_invocation) (object_creation_expression) (array_access) (this)] @argument)
(argument_list [(string_literal)] @argument.String)
(argument_list [(character_literal)] @argument.char)
(argument_list [(decimal_integer_literal) (hex_integer_literal)] @argument.int (#not-match? @argument.int "[lL]$"))
(argument_list [(decimal_integer_literal) (hex_integer_literal)] @argument.long (#match? @argument.long "[lL]$"))
(argument_list (decimal_floating_point_literal) @argument.double (#not-match? @argument.double "[fF]$"))
(argument_list (decimal_floating_point_literal) @argument.float (#match? @argument.float "[fF]$"))
(argument_list [(true) (false)] @argument.boolean)
(argument_list (class_literal) @argument.Class)
(argument_list [(lambda_expression) (method_reference)] @argument.function)
(explicit_constructor_invocation constructor: [(this) (super)] @ref @ref.construct)
(object_creation_expression type: [
  (type_identifier) @ref.call
  (generic_type . [(type_identifier) @ref.call (scoped_type_identifier (type_identifier) @ref.call .)])
  (scoped_type_identifier (type_identifier) @ref.call .)])
(object_creation_expression type: [
  (type_identifier) @ref.inherit
  (generic_type . [(type_identifier) @ref.inherit (scoped_type_identifier (type_identifier) @ref.inherit .)])
  (scoped_type_identifier (type_identifier) @ref.inherit .)] (class_body))

(superclass [
  (type_identifier) @ref.inherit
  (generic_type . [(type_identifier) @ref.inherit (scoped_type_identifier (type_identifier) @ref.inherit .)])
  (scoped_type_identifier (type_identifier) @ref.inherit .)])
(super_interfaces (type_list [
  (type_identifier) @ref.implement
  (generic_type . [(type_identifier) @ref.implement (scoped_type_identifier (type_identifier) @ref.implement .)])
  (scoped_type_identifier (type_identifier) @ref.implement .)]))
(extends_interfaces (type_list [
  (type_identifier) @ref.extend
  (generic_type . [(type_identifier) @ref.extend (scoped_type_identifier (type_identifier) @ref.extend .)])
  (scoped_type_identifier (type_identifier) @ref.extend .)]))
(marker_annotation name: [(identifier) @ref.decorate (scoped_identifier name: (identifier) @ref.decorate)])
(annotation name: [(identifier) @ref.decorate (scoped_identifier name: (identifier) @ref.decorate)])

(assignment_expression left: [(identifier) @ref.write (field_access field: (identifier) @ref.write)])
(update_expression [(identifier) @ref.write (field_access field: (identifier) @ref.write)])

; What a type stands for: the outermost range counts, and of equal ranges the first of type, accepts, returns.
(formal_parameter type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @region.accepts)
(spread_parameter [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @region.accepts)
(lambda_expression parameters: (formal_parameters (formal_parameter type: (_) @region.type)))
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @region.type)))
(record_declaration parameters: (formal_parameters (spread_parameter [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @region.type)))
(method_declaration type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @region.returns)
(annotation_type_element_declaration type: (_) @region.returns)
(local_variable_declaration type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type)] @region.type)
[(field_declaration type: (_) @region.type) (constant_declaration type: (_) @region.type) (cast_expression type: (_) @region.type)
 (object_creation_expression type: (_) @region.type) (array_creation_expression type: (_) @region.type) (enhanced_for_statement type: (_) @region.type)
 (resource type: (_) @region.type) (instanceof_expression right: (_) @region.type) (class_literal (_) @region.type) (type_pattern . (_) @region.type)
 (record_pattern . [(identifier) (generic_type)] @region.type) (record_pattern_component . (_) @region.type .(identifier))
 (method_reference . (generic_type) @region.type) (marker_annotation name: (_) @region.type) (annotation name: (_) @region.type)
 (uses_module_directive (_) @region.type) (provides_module_directive (_) @region.type)]
[(type_arguments) (type_bound) (throws) (permits) (catch_type) (superclass) (super_interfaces) (extends_interfaces)] @region.type
