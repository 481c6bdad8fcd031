; Scopes and the names bound in them.
[(lambda_expression) (anonymous_method_expression) (accessor_declaration body: (_))] @scope.function
[(for_statement) (foreach_statement) (using_statement) (fixed_statement) (catch_clause) (switch_body) (query_expression)] @scope.block
[(block (block) @scope.block) (if_statement (block) @scope.block) (while_statement (block) @scope.block) (do_statement (block) @scope.block)
 (lock_statement (block) @scope.block) (try_statement (block) @scope.block) (finally_clause (block) @scope.block) (switch_section (block) @scope.block)
 (unsafe_statement (block) @scope.block) (checked_statement (block) @scope.block)]

(variable_declarator name: (identifier) @bind)
(parameter name: (identifier) @bind)
(parameter_list name: (identifier) @bind)
(bracketed_parameter_list name: (identifier) @bind)
(implicit_parameter) @bind
(tuple_pattern name: (identifier) @bind)
(foreach_statement left: (identifier) @bind)
(catch_declaration name: (identifier) @bind)
[(declaration_expression name: (identifier) @bind) (declaration_pattern name: (identifier) @bind) (recursive_pattern name: (identifier) @bind)
 (var_pattern name: (identifier) @bind) (list_pattern name: (identifier) @bind) (parenthesized_variable_designation name: (identifier) @bind)]
(from_clause name: (identifier) @bind)
(join_clause (identifier) @bind . "in")
(join_into_clause (identifier) @bind)
(let_clause . (identifier) @bind)
(query_expression (identifier) @bind)
(type_parameter name: (identifier) @bind.type)
(accessor_declaration name: ["set" "init" "add" "remove"] body: (_)) @bind.implicit

; Identifiers that are no references.
(argument name: (identifier) @skip)
(attribute_argument name: (identifier) @skip)
(tuple_element name: (identifier) @skip)
(anonymous_object_creation_expression (identifier) @skip . "=")
(labeled_statement . (identifier) @skip)
(goto_statement "goto" . (identifier) @skip)
(alias_qualified_name alias: (identifier) @skip)
(calling_convention (identifier) @skip)
(extern_alias_directive name: (identifier) @skip)
(preproc_if condition: (_) @region.skip)
(preproc_elif condition: (_) @region.skip)
(preproc_pragma) @region.skip

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(identifier) @ref
(member_access_expression expression: (predefined_type) @ref @ref.type)
(constructor_initializer ["base" "this"] @ref @ref.construct)

(member_access_expression expression: _ @receiver "->")
(qualified_name qualifier: [(identifier) @ref.read (generic_name . (identifier) @ref.read) (qualified_name name: (identifier) @ref.read)])
(type_argument_list) @generic

; The name before arguments is called. The calls themselves are not matched: chains of them nest to the left, and each would wait for its end.
(argument_list) @called
(argument [(identifier) (member_access_expression) (invocation_expression) (object_creation_expression) (element_access_expression) "this"] @argument .)
(argument [(string_literal) (verbatim_string_literal) (raw_string_literal) (interpolated_string_expression)] @argument.string .)
(argument (character_literal) @argument.char .)
(argument (boolean_literal) @argument.bool .)
(argument (integer_literal) @argument.whole .)
(argument (real_literal) @argument.real .)
(argument (typeof_expression) @argument.Type .)
(argument [(lambda_expression) (anonymous_method_expression)] @argument.function .)
(object_creation_expression type: [
  (identifier) @ref.call
  (generic_name . (identifier) @ref.call)
  (qualified_name name: [(identifier) @ref.call (generic_name . (identifier) @ref.call)])
  (alias_qualified_name name: [(identifier) @ref.call (generic_name . (identifier) @ref.call)])])
(object_creation_expression type: [(identifier) @tag (generic_name . (identifier) @tag)])
; `Shelf shelf = new(3);` and `Shelf Top { get; } = new();`
(variable_declaration type: [(identifier) @ref.call (generic_name . (identifier) @ref.call) (qualified_name name: (identifier) @ref.call)]
  (variable_declarator (implicit_object_creation_expression)))
(property_declaration type: [(identifier) @ref.call (generic_name . (identifier) @ref.call) (qualified_name name: (identifier) @ref.call)]
  value: (implicit_object_creation_expression))

(base_list [
  (identifier) @ref.inherit
  (generic_name . (identifier) @ref.inherit)
  (qualified_name name: [(identifier) @ref.inherit (generic_name . (identifier) @ref.inherit)])
  (alias_qualified_name name: [(identifier) @ref.inherit (generic_name . (identifier) @ref.inherit)])])
(primary_constructor_base_type type: [(identifier) @ref.inherit (generic_name . (identifier) @ref.inherit) (qualified_name name: (identifier) @ref.inherit)])
(interface_declaration (base_list [
  (identifier) @ref.extend
  (generic_name . (identifier) @ref.extend)
  (qualified_name name: [(identifier) @ref.extend (generic_name . (identifier) @ref.extend)])
  (alias_qualified_name name: [(identifier) @ref.extend (generic_name . (identifier) @ref.extend)])]))
(attribute name: [
  (identifier) @ref.decorate
  (generic_name . (identifier) @ref.decorate)
  (qualified_name name: (identifier) @ref.decorate)
  (alias_qualified_name name: (identifier) @ref.decorate)])

(assignment_expression left: [(identifier) @ref.write (member_access_expression name: (identifier) @ref.write)])
(postfix_unary_expression [(identifier) @ref.write (member_access_expression name: (identifier) @ref.write)] ["++" "--"])
(prefix_unary_expression ["++" "--"] [(identifier) @ref.write (member_access_expression name: (identifier) @ref.write)])

; Members named without their object: { Name = 1 } after new, { Name: 1 } in a pattern.
[(initializer_expression) (property_pattern_clause)] @initializer.unknown
(object_creation_expression type: (_) @instance !arguments initializer: (_) @initializer)
(object_creation_expression arguments: (_) @instance initializer: (_) @initializer)
(assignment_expression left: (identifier) @instance right: (initializer_expression) @initializer)
(variable_declaration type: [(identifier) (generic_name) (qualified_name)] @instance
  (variable_declarator (implicit_object_creation_expression (argument_list "(" . ")") (initializer_expression) @initializer)))
(recursive_pattern type: (_) @instance (property_pattern_clause) @initializer)
(initializer_expression (assignment_expression left: (identifier) @initialized))
(property_pattern_clause (subpattern . [(identifier) @initialized (member_access_expression expression: (identifier) @initialized)] . ":"))
(with_initializer . (identifier) @initialized @ref.write)

; What a type stands for: the outermost range counts, and of equal ranges the first of type, accepts, returns.
(parameter type: (_) @region.accepts)
(parameter_list type: (_) @region.accepts)
(bracketed_parameter_list type: (_) @region.accepts)
(_ parameters: (parameter_list (parameter type: (_) @region.type)) . "=>")
(anonymous_method_expression parameters: (parameter_list (parameter type: (_) @region.type)))
(record_declaration (parameter_list (parameter type: (_) @region.type)))
[(method_declaration returns: (_) @region.returns) (local_function_statement type: (_) @region.returns) (delegate_declaration type: (_) @region.returns)
 (operator_declaration type: (_) @region.returns) (conversion_operator_declaration type: (_) @region.returns)]
(variable_declaration type: [(identifier) (generic_name) (qualified_name) (array_type) (nullable_type) (tuple_type) (pointer_type) (alias_qualified_name)
  (ref_type) (scoped_type) (function_pointer_type)] @region.type)
[(property_declaration type: (_) @region.type) (indexer_declaration type: (_) @region.type)
 (event_declaration type: (_) @region.type) (object_creation_expression type: (_) @region.type) (cast_expression type: (_) @region.type)
 (typeof_expression type: (_) @region.type) (default_expression type: (_) @region.type) (sizeof_expression type: (_) @region.type)
 (as_expression right: (_) @region.type) (is_expression right: (_) @region.type) (declaration_pattern type: (_) @region.type)
 (recursive_pattern type: (_) @region.type) (type_pattern type: (_) @region.type) (catch_declaration type: (_) @region.type)
 (foreach_statement type: (_) @region.type) (declaration_expression type: (_) @region.type) (from_clause type: (_) @region.type)
 (join_clause type: (_) @region.type) (lambda_expression type: (_) @region.type) (attribute name: (_) @region.type)
 (refvalue_expression type: (_) @region.type) (type_parameter_constraint type: (_) @region.type)
 (primary_constructor_base_type type: (_) @region.type)]
(array_creation_expression type: (array_type type: (_) @region.type))
(stackalloc_expression type: (array_type type: (_) @region.type))
(type_argument_list) @region.type
(type_parameter_constraints_clause . (identifier) @region.type)
(explicit_interface_specifier (_) @region.type)
(base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name)] @region.type)

; What stands in parentheses as a receiver.
(parenthesized_expression [(object_creation_expression) (cast_expression) (as_expression) (await_expression) (invocation_expression)]) @enclosed
