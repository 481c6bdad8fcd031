; Derived from the grammar by `make grammars`.
(header module: (module (module_id) @name)) @def.module
(data_type name: (name) @name) @def.type
(class name: (name) @name) @def.interface
(function name: (variable) @name) @def.function
(newtype name: (name) @name) @def.type
(instance name: (name) @name) @def.class
(implicit_parameter name: (implicit_variable) @bind)
(kind_application . [(variable) (name)] @ref.call)
(apply function: [(variable) (name) (field_name)] @ref.call)
(type_application . [(variable) (name)] @ref.call)
(variable) @ref
(implicit_variable) @ref
(name) @ref
(prefix_id) @ref
(comment) @comment
