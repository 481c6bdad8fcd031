; Derived from the grammar by `make grammars`.
(ui_property name: (identifier) @name) @def.property
(ui_signal name: (identifier) @name) @def.event
(function_declaration name: (identifier) @name) @def.function
(variable_declaration (variable_declarator name: (identifier) @bind.define))
(class name: (type_identifier) @name) @def.class
(class_declaration name: (type_identifier) @name) @def.class
(generator_function_declaration name: (identifier) @name) @def.function
(method_definition name: [(identifier) (type_identifier) (nested_identifier) (nested_type_identifier)] @name) @def.method
(public_field_definition name: [(private_property_identifier) (computed_property_name) (property_identifier)] @name) @def.field
(method_signature name: [(private_property_identifier) (computed_property_name) (property_identifier)] @name) @def.method
(abstract_method_signature name: [(private_property_identifier) (computed_property_name) (property_identifier)] @name) @def.method
(function_signature name: (identifier) @name) @def.function
(abstract_class_declaration name: (type_identifier) @name) @def.class
(interface_declaration name: (type_identifier) @name) @def.interface
(enum_declaration name: (identifier) @name) @def.enum
(type_alias_declaration name: (type_identifier) @name) @def.type
(property_signature name: (property_identifier) @name) @def.property
(required_parameter name: (identifier) @bind)
(optional_parameter name: (identifier) @bind)
(ui_signal_parameter name: (identifier) @bind)
(call_expression function: (identifier) @ref.call)
(instantiation_expression function: (identifier) @ref.call)
(identifier) @ref
(private_property_identifier) @ref
(type_identifier) @ref
(property_identifier) @ref
(shorthand_property_identifier) @ref
(comment) @comment
(html_comment) @comment
