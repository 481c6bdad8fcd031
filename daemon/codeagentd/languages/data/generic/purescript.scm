; Derived from the grammar by `make grammars`.
(qualified_module (module) @name) @def.module
(data name: (type) @name) @def.type
(type_alias name: (type) @name) @def.type
(function name: (variable) @name) @def.function
(type_signature . (type_name) @name) @def.type
(newtype . (type_variable) @name) @def.type
(class_declaration (class_head . [(type_variable) (class_name)] @name)) @def.class
(operator_declaration . [(variable) (qualified_variable)] @name) @def.function
(kind_value_declaration . [(type_variable) (type_name)] @bind.define)
(type_apply . (type_name) @ref.call)
(exp_type_application . (type_name) @ref.call)
(pat_apply . (pat_name) @ref.call)
(exp_apply . (exp_name) @ref.call)
(variable) @ref
(type_variable) @ref
(class_name) @ref
(field_name) @ref
(instance_name) @ref
(comment) @comment
