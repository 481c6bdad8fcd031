; Derived from the grammar by `make grammars`.
(type_definition (type_binding name: (type_constructor) @name)) @def.type
(value_specification (value_name) @name) @def.function
(module_definition (module_binding (module_name) @name)) @def.module
(value_definition . (attribute_id) @bind.define)
(let_binding name: [(type_variable) (field_name) (value_name)] @bind.define)
(constructor_declaration . [(type_variable) (constructor_name)] @name) @def.constructor
(field_declaration . [(type_variable) (field_name)] @name) @def.field
(module_type_definition . (attribute_id) @name) @def.module
(class_definition . (attribute_id) @name) @def.class
(class_binding name: [(type_variable) (class_name) (class_type_name) (field_name) (value_name)] @name) @def.class
(class_type_definition . (attribute_id) @name) @def.class
(class_type_binding . [(type_variable) (class_type_name)] @name) @def.class
(instance_variable_specification . [(type_variable) (instance_variable_name)] @name) @def.class
(method_specification . [(type_variable) (method_name)] @name) @def.method
(instance_variable_definition name: [(type_variable) (field_name) (instance_variable_name) (value_name)] @name) @def.class
(method_definition name: [(type_variable) (field_name) (method_name) (value_name)] @name) @def.method
(parameter . (type_variable) @bind)
(method_invocation method: (method_name) @ref.call)
(type_variable) @ref
(attribute_id) @ref
(class_name) @ref
(class_type_name) @ref
(constructor_name) @ref
(field_name) @ref
(instance_variable_name) @ref
(label_name) @ref
(method_name) @ref
(value_name) @ref
(comment) @comment
