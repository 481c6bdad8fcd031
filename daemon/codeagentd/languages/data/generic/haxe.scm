; Derived from the grammar by `make grammars`.
(package_statement name: (package_name) @name) @def.module
(class_declaration name: (identifier) @name) @def.class
(variable_declaration name: (identifier) @bind.define)
(function_declaration name: (identifier) @name) @def.method
(ERROR (identifier) @name @def.type)
(interface_declaration name: [(identifier) (type_name)] @name) @def.interface
(typedef_declaration name: (identifier) @name) @def.type
(call_expression name: [(identifier) (type_name)] @ref.call)
(identifier) @ref
(package_name) @ref
(type_name) @ref
(comment) @comment
