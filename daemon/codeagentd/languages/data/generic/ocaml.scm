; Derived from the grammar by `make grammars`.
(module_definition (module_binding (module_name) @name)) @def.module
(type_definition (type_binding name: (type_constructor) @name)) @def.type
(value_definition (let_binding pattern: (value_name) @name)) @def.function
(constructor_declaration name: [(type_variable) (constructor_name) (field_name) (value_name)] @name) @def.constructor
(field_declaration . [(type_variable) (field_name)] @name) @def.field
(module_type_definition . (attribute_id) @name) @def.module
(class_definition . (attribute_id) @name) @def.class
(class_binding name: [(type_variable) (class_name) (class_type_name) (field_name) (value_name)] @name) @def.class
(class_type_definition . (attribute_id) @name) @def.class
(class_type_binding . [(type_variable) (class_type_name)] @name) @def.class
(value_specification . [(type_variable) (value_name)] @bind.define)
(structure name: [(type_variable) (field_name) (value_name)] @name) @def.struct
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
