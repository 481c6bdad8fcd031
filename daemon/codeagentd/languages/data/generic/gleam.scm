; Derived from the grammar by `make grammars`.
(type_definition (type_name name: (type_identifier) @name)) @def.type
(data_constructor name: (constructor_name) @name) @def.enum_member
(constant name: (identifier) @name) @def.constant
(function name: (identifier) @name) @def.function
(let pattern: (identifier) @bind.define)
(function_parameter_types . (type_var) @bind)
(function_parameter name: (identifier) @bind)
(function_call function: (identifier) @ref.call)
(type_var) @ref
(identifier) @ref
(type_identifier) @ref
(constructor_name) @ref
(doc_comment_content) @comment
(module_comment) @comment
(statement_comment) @comment
(comment) @comment
