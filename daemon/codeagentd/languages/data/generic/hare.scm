; Derived from the grammar by `make grammars`.
(constant_declaration (identifier) @name) @def.constant
(type_declaration (identifier) @name) @def.type
(function_declaration name: (identifier) @name) @def.function
(global_binding . [(identifier) (scoped_type_identifier)] @bind.define)
(let_declaration . [(identifier) (scoped_type_identifier)] @bind.define)
(const_declaration . [(identifier) (scoped_type_identifier)] @name) @def.constant
(parameter . [(identifier) (scoped_type_identifier)] @bind)
(call_expression callee: [(identifier) (scoped_type_identifier)] @ref.call)
(identifier) @ref
(comment) @comment
