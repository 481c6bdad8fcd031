; Scopes and the names bound in them.
[(arrow_function) (function_expression) (generator_function) (method_definition) (class_static_block)] @scope.function
(class) @scope.class
[(for_statement) (for_in_statement) (catch_clause) (switch_body)] @scope.block
(if_statement consequence: (statement_block) @scope.block)
(else_clause (statement_block) @scope.block)
(while_statement body: (statement_block) @scope.block)
(do_statement body: (statement_block) @scope.block)
(try_statement body: (statement_block) @scope.block)
(finally_clause body: (statement_block) @scope.block)
(statement_block (statement_block) @scope.block)
(variable_declarator value: (object) @scope.class)
(export_statement value: (object) @scope.class)
(assignment_expression right: (object) @scope.class)

(lexical_declaration (variable_declarator name: (identifier) @bind))
(variable_declaration (variable_declarator name: (identifier) @bind.hoist))
(formal_parameters (identifier) @bind)
(arrow_function parameter: (identifier) @bind)
(catch_clause parameter: (identifier) @bind)
(for_in_statement kind: _ left: (identifier) @bind)
(function_expression name: (identifier) @bind)
(generator_function name: (identifier) @bind)
(class name: (_) @bind.type)
(shorthand_property_identifier_pattern) @bind.define
(pair_pattern value: (identifier) @bind.define)
(assignment_pattern left: (identifier) @bind.define)
(array_pattern (identifier) @bind.define)
(rest_pattern (identifier) @bind.define)
(assignment_expression left: (member_expression object: (this) property: (_) @bind.member))

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(identifier) @ref
(shorthand_property_identifier) @ref
[(property_identifier) (private_property_identifier)] @member
(member_expression object: [(call_expression arguments: (_) @arguments) (new_expression arguments: (_) @arguments)])

(call_expression arguments: (template_string) @called)
(call_expression function: (super) @ref @ref.construct)
(new_expression constructor: [(identifier) @ref.call (member_expression property: (_) @ref.call)] !arguments)
(call_expression function: [(identifier) @ref.call (member_expression property: (_) @ref.call)] (optional_chain))
(decorator [(identifier) @ref.decorate (member_expression property: (_) @ref.decorate)
  (call_expression function: [(identifier) @ref.decorate (member_expression property: (_) @ref.decorate)])])
(assignment_expression left: [(identifier) @ref.write (member_expression property: (_) @ref.write)])
(augmented_assignment_expression left: [(identifier) @ref.write (member_expression property: (_) @ref.write)])
(update_expression argument: [(identifier) @ref.write (member_expression property: (_) @ref.write)])

(class_heritage [(identifier) @ref.inherit (member_expression property: (_) @ref.inherit)])
(class_declaration (class_heritage [(identifier) (member_expression)] @base))
(variable_declarator value: (class (class_heritage [(identifier) (member_expression)] @base)))
(export_statement value: (class (class_heritage [(identifier) (member_expression)] @base)))

; Elements. A capital or a dot names a component, everything else is the page's own.
(jsx_opening_element name: [(identifier) @ref.call (member_expression property: (_) @ref.call)])
(jsx_self_closing_element name: [(identifier) @ref.call (member_expression property: (_) @ref.call)])
((jsx_opening_element name: (identifier) @skip) (#match? @skip "^[a-z]"))
((jsx_closing_element name: (identifier) @skip) (#match? @skip "^[a-z]"))
((jsx_self_closing_element name: (identifier) @skip) (#match? @skip "^[a-z]"))
(jsx_namespace_name (identifier) @skip)

(member_expression object: (parenthesized_expression
  [(identifier) (member_expression) (call_expression arguments: (_) @arguments) (new_expression arguments: (_) @arguments)
    (await_expression [(identifier) (member_expression) (call_expression arguments: (_) @arguments)])]) @enclosed)

((comment) @comment (#match? @comment "^/[*][*]"))
((meta_property) @literal (#eq? @literal "import.meta"))
