; Declarations of a file.
(parameter_declaration . (identifier) @name (type)? @type) @def.variable
(variable_declaration . (identifier) @name) @def.variable
(output_declaration . (identifier) @name (type)? @type) @def.property
(resource_declaration . (identifier) @name) @def.resource
(module_declaration . (identifier) @name) @def.module
(type_declaration . (identifier) @name) @def.type
(user_defined_function name: (identifier) @name (parameters) @params returns: (_) @returns) @def.function
(comment) @comment
