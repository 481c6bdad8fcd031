; Scopes and the names bound in them.
[(lambda_expression) (extension_definition)] @scope.function
(call_expression arguments: [(block) (indented_block)] @scope.function)
[(block) (indented_block) (case_clause) (for_expression)] @scope.block

(parameter name: (identifier) @bind)
(class_parameter name: (identifier) @bind)
(binding name: (identifier) @bind)
(lambda_expression parameters: (identifier) @bind)
(self_type . (identifier) @bind)
(val_definition pattern: (identifier) @bind)
(var_definition pattern: (identifier) @bind)
(val_definition pattern: (identifiers (identifier) @bind))
(var_definition pattern: (identifiers (identifier) @bind))
(tuple_pattern (identifier) @bind.lower)
(case_class_pattern pattern: (identifier) @bind.lower)
(infix_pattern [left: (identifier) @bind.lower right: (identifier) @bind.lower])
(capture_pattern name: (identifier) @bind)
(typed_pattern pattern: (identifier) @bind)
(named_pattern (_) (identifier) @bind.lower .)
(case_clause pattern: (identifier) @bind.lower)
(enumerator . (identifier) @bind ["<-" "="])
(type_parameters name: [(identifier) (type_identifier)] @bind.type)
(covariant_type_parameter name: [(identifier) (type_identifier)] @bind.type)
(contravariant_type_parameter name: [(identifier) (type_identifier)] @bind.type)

; Identifiers that are no references.
(arguments (assignment_expression left: (identifier) @skip))
(interpolated_string_expression interpolator: (identifier) @skip)
(access_qualifier) @region.skip
(namespace_selectors) @region.skip
(named_pattern . (identifier) @skip)

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(identifier) @ref
(type_identifier) @typename
(infix_expression operator: [(identifier) (operator_identifier)] @infix @ref @ref.call)
(postfix_expression (_) . (identifier) @infix @ref.call)
(type_arguments) @generic
(parenthesized_expression . [(identifier) (field_expression) (call_expression) (generic_function) (instance_expression)] .) @enclosed
(parenthesized_expression . (infix_expression) .) @built
(stable_type_identifier (identifier) @ref.read)
(singleton_type (identifier) @ref.read)
((field_expression value: (identifier) @ref.type field: (identifier) @_this) (#eq? @_this "this"))  ; the object around a place that is one of these

; The name before arguments is called.
(call_expression arguments: (arguments) @called)
(arguments [(identifier) (field_expression) (call_expression) (instance_expression)] @argument)
(arguments [(string) (interpolated_string_expression)] @argument.String)
(arguments (character_literal) @argument.Char)
(arguments (boolean_literal) @argument.Boolean)
(arguments (integer_literal) @argument.whole (#not-match? @argument.whole "[lL]$"))
(arguments (integer_literal) @argument.Long (#match? @argument.Long "[lL]$"))
(arguments (floating_point_literal) @argument.Double (#not-match? @argument.Double "[fF]$"))
(arguments (floating_point_literal) @argument.Float (#match? @argument.Float "[fF]$"))
(arguments [(lambda_expression) (case_block)] @argument.function)
(call_expression arguments: [(block) (case_block) (colon_argument)] @called.one)
(instance_expression (arguments) @called)
(instance_expression . [
  (type_identifier) @ref.call @created
  (generic_type type: [(type_identifier) @ref.call @created (stable_type_identifier (type_identifier) @ref.call @created .)])
  (stable_type_identifier (type_identifier) @ref.call @created .)])
; What takes a value apart is a value itself.
(case_class_pattern type: [(type_identifier) @destructured (stable_type_identifier (type_identifier) @destructured .)])
(instance_expression . [(type_identifier) @ref.inherit (stable_type_identifier (type_identifier) @ref.inherit .)
  (generic_type type: [(type_identifier) @ref.inherit (stable_type_identifier (type_identifier) @ref.inherit .)])] (template_body))
(instance_expression . (compound_type base: [(type_identifier) @ref.inherit (stable_type_identifier (type_identifier) @ref.inherit .)
  (generic_type type: [(type_identifier) @ref.inherit (stable_type_identifier (type_identifier) @ref.inherit .)])]))
(instance_expression . (compound_type extra: [(type_identifier) @ref.inherit (stable_type_identifier (type_identifier) @ref.inherit .)
  (generic_type type: [(type_identifier) @ref.inherit (stable_type_identifier (type_identifier) @ref.inherit .)])]))

(extends_clause [
  (type_identifier) @ref.inherit
  (generic_type type: [(type_identifier) @ref.inherit (stable_type_identifier (type_identifier) @ref.inherit .)])
  (stable_type_identifier (type_identifier) @ref.inherit .)])
(annotation name: [(type_identifier) @ref.decorate (stable_type_identifier (type_identifier) @ref.decorate .)
  (generic_type type: (type_identifier) @ref.decorate)])
(assignment_expression left: [(identifier) @ref.write (field_expression field: (identifier) @ref.write)])
(infix_expression left: [(identifier) @ref.write (field_expression field: (identifier) @ref.write)]
  operator: ((operator_identifier) @_assign (#match? @_assign "^[^=!<>]+=$")))

; What a type stands for: the outermost range counts, and of equal ranges the first of type, accepts, returns.
(parameter type: (_) @region.accepts)
(extension_definition parameters: (parameters (parameter type: (_) @region.type)))
(class_parameter type: (_) @region.type)
(function_definition return_type: (_) @region.returns)
(function_declaration return_type: (_) @region.returns)
[(val_definition type: (_) @region.type) (var_definition type: (_) @region.type) (val_declaration type: (_) @region.type)
 (var_declaration type: (_) @region.type) (type_definition type: (_) @region.type) (given_definition return_type: [(type_identifier) (generic_type)] @region.type)
 (binding type: (_) @region.type) (typed_pattern type: (_) @region.type) (case_class_pattern type: (_) @region.type) (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @region.type)
 (derives_clause (_) @region.type) (annotation name: (_) @region.type) (ascription_expression (_) (_) @region.type .)
 (instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @region.type)]
[(type_arguments) (upper_bound) (lower_bound) (context_bound) (view_bound) (self_type)] @region.type
