; Scopes and the names bound in them.
[(arrow_function) (function_expression) (generator_function) (method_definition) (class_static_block)
 (function_type) (constructor_type) (call_signature) (construct_signature)] @scope.function
(class) @scope.class
[(for_statement) (for_in_statement) (catch_clause) (switch_body)] @scope.block
(if_statement consequence: (statement_block) @scope.block)
(else_clause (statement_block) @scope.block)
(while_statement body: (statement_block) @scope.block)
(do_statement body: (statement_block) @scope.block)
(try_statement body: (statement_block) @scope.block)
(finally_clause body: (statement_block) @scope.block)
(statement_block (statement_block) @scope.block)
(index_signature . (mapped_type_clause)) @scope.block
(variable_declarator value: (object) @scope.class)
[(satisfies_expression (object) @scope.class) (as_expression (object) @scope.class "const")]
(export_statement value: (object) @scope.class)

(lexical_declaration (variable_declarator name: (identifier) @bind))
(variable_declaration (variable_declarator name: (identifier) @bind.hoist))
(required_parameter pattern: (identifier) @bind)
(optional_parameter pattern: (identifier) @bind)
(arrow_function parameter: (identifier) @bind)
(catch_clause parameter: (identifier) @bind)
(for_in_statement kind: _ left: (identifier) @bind)
(function_expression name: (identifier) @bind)
(generator_function name: (identifier) @bind)
(class name: (_) @bind.type)
(type_parameter name: (type_identifier) @bind.type)
(infer_type . (type_identifier) @bind.type)
(mapped_type_clause name: (type_identifier) @bind.type)
(shorthand_property_identifier_pattern) @bind.define
(pair_pattern value: (identifier) @bind.define)
(assignment_pattern left: (identifier) @bind.define)
(array_pattern (identifier) @bind.define)
(rest_pattern (identifier) @bind.define)

(index_signature name: (identifier) @skip)
(type_predicate name: (identifier) @skip)
(asserts (identifier) @skip)
(tuple_type [(required_parameter name: (identifier) @skip) (optional_parameter name: (identifier) @skip)])
(export_statement "namespace" (identifier) @skip)
(internal_module name: (nested_identifier) @region.skip)
(module name: (nested_identifier) @region.skip)

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(identifier) @ref
(type_identifier) @typename
(shorthand_property_identifier) @ref
[(property_identifier) (private_property_identifier)] @member
(nested_type_identifier name: (_) @member)
(member_expression object: [(call_expression arguments: (_) @arguments) (new_expression arguments: (_) @arguments)])
(member_expression object: (non_null_expression (call_expression arguments: (_) @arguments)))

(subscript_expression object: (call_expression arguments: (_) @arguments))
(subscript_expression object: (non_null_expression [(identifier) (member_expression) (call_expression arguments: (_) @arguments)]) @enclosed)
(subscript_expression index: [(number) (identifier) (member_expression) (binary_expression) (unary_expression) (update_expression)]) @indexed

(call_expression arguments: (template_string) @called)
(call_expression type_arguments: (_) @generic arguments: (_) @called)
(new_expression type_arguments: (_) @generic arguments: (_) @called)
(new_expression constructor: [(identifier) @ref.call (member_expression property: (_) @ref.call)] !arguments)
(call_expression function: [(identifier) @ref.call (member_expression property: (_) @ref.call)] "?.")
(call_expression function: (non_null_expression [(identifier) @ref.call (member_expression property: (_) @ref.call)]))
(call_expression function: (super) @ref @ref.construct)
(decorator [(identifier) @ref.decorate (member_expression property: (_) @ref.decorate)
  (call_expression function: [(identifier) @ref.decorate (member_expression property: (_) @ref.decorate)])])
(assignment_expression left: [(identifier) @ref.write (member_expression property: (_) @ref.write)])
(augmented_assignment_expression left: [(identifier) @ref.write (member_expression property: (_) @ref.write)])
(update_expression argument: [(identifier) @ref.write (member_expression property: (_) @ref.write)])

(extends_clause value: [(identifier) @ref.inherit (member_expression property: (_) @ref.inherit)])
(class_declaration (class_heritage (extends_clause value: [(identifier) (member_expression)] @base)))
(abstract_class_declaration (class_heritage (extends_clause value: [(identifier) (member_expression)] @base)))
(variable_declarator value: (class (class_heritage (extends_clause value: [(identifier) (member_expression)] @base))))
(implements_clause [(type_identifier) @base @ref.implement (nested_type_identifier name: (_) @ref.implement) @base
  (generic_type name: [(type_identifier) @base @ref.implement (nested_type_identifier name: (_) @ref.implement) @base])])
(extends_type_clause type: [(type_identifier) @base @ref.extend (nested_type_identifier name: (_) @ref.extend) @base
  (generic_type name: [(type_identifier) @base @ref.extend (nested_type_identifier name: (_) @ref.extend) @base])])

(required_parameter type: (_) @region.accepts)
(optional_parameter type: (_) @region.accepts)
(function_declaration return_type: (_) @region.returns)
(generator_function_declaration return_type: (_) @region.returns)
(function_signature return_type: (_) @region.returns)
(arrow_function return_type: (_) @region.returns)
(function_expression return_type: (_) @region.returns)
(generator_function return_type: (_) @region.returns)
(method_definition return_type: (_) @region.returns)
(method_signature return_type: (_) @region.returns)
(abstract_method_signature return_type: (_) @region.returns)
(call_signature return_type: (_) @region.returns)
(construct_signature type: (_) @region.returns)
(catch_clause type: (_) @region.type)
(variable_declarator type: (_) @region.type)
(public_field_definition type: (_) @region.type)
(property_signature type: (_) @region.type)
(index_signature type: (_) @region.type)
(type_alias_declaration value: (_) @region.type)
(type_arguments) @region.type
(type_parameters) @region.type
(as_expression "as" (_) @region.type)
(satisfies_expression "satisfies" (_) @region.type)

(member_expression object: (parenthesized_expression
  [(identifier) (member_expression) (call_expression arguments: (_) @arguments) (new_expression arguments: (_) @arguments)
    (await_expression [(identifier) (member_expression) (call_expression arguments: (_) @arguments)]) (non_null_expression)]) @enclosed)
(member_expression object: (parenthesized_expression
  [(as_expression (_) [(type_identifier) (nested_type_identifier) (generic_type)]) (satisfies_expression (_) [(type_identifier) (nested_type_identifier) (generic_type)])]) @enclosed @built)

((comment) @comment (#match? @comment "^/[*][*]"))
((meta_property) @literal.meta (#eq? @literal.meta "import.meta"))
