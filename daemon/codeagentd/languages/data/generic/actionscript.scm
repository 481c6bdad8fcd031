; Derived from the grammar by `make grammars`.
(package_declaration name: (identifier) @name) @def.module
(class_declaration name: (identifier) @name) @def.class
(variable_declaration name: (identifier) @bind.define)
(function_declaration name: (identifier) @name) @def.method
(namespace_declaration name: (identifier) @name) @def.namespace
(interface_declaration name: (identifier) @name) @def.interface
(method_declaration name: (identifier) @name) @def.method
(constant_declaration name: (identifier) @name) @def.constant
(function_parameters (identifier) @bind)
(call_expression function: (identifier) @ref.call)
(identifier) @ref
(line_comment) @comment
(block_comment) @comment
