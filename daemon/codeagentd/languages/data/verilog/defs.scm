; Modules, interfaces, packages, programs, classes.
(module_declaration (module_header (simple_identifier) @name)) @def.module
(interface_declaration [(interface_ansi_header (interface_identifier (simple_identifier) @name))
  (interface_nonansi_header (interface_identifier (simple_identifier) @name))]) @def.interface
(package_declaration . (package_identifier (simple_identifier) @name)) @def.namespace
(program_declaration [(program_ansi_header (program_identifier (simple_identifier) @name))
  (program_nonansi_header (program_identifier (simple_identifier) @name))]) @def.module
(class_declaration . (class_identifier (simple_identifier) @name)) @def.class
(class_declaration (class_type (class_identifier (simple_identifier) @base @ref.inherit)))

; Functions and tasks.
(function_declaration (function_body_declaration (function_identifier (function_identifier (simple_identifier) @name)) (tf_port_list)? @params)) @def.function
(task_declaration (task_body_declaration (task_identifier (task_identifier (simple_identifier) @name)) (tf_port_list)? @params)) @def.function
(class_constructor_declaration "new" @name (tf_port_list)? @params) @def.constructor

; Ports, parameters, nets, variables, instances of modules.
(ansi_port_declaration (port_identifier (simple_identifier) @name)) @def.property
(parameter_declaration (list_of_param_assignments (param_assignment (parameter_identifier (simple_identifier) @name) @def.constant)))
(local_parameter_declaration (list_of_param_assignments (param_assignment (parameter_identifier (simple_identifier) @name) @def.constant)))
(package_or_generate_item_declaration (net_declaration (list_of_net_decl_assignments (net_decl_assignment . (simple_identifier) @name @def.variable))))
(package_or_generate_item_declaration (data_declaration (list_of_variable_decl_assignments (variable_decl_assignment . (simple_identifier) @name @def.variable))))
(class_property (data_declaration (list_of_variable_decl_assignments (variable_decl_assignment . (simple_identifier) @name @def.field))))
(module_instantiation (hierarchical_instance (name_of_instance (instance_identifier (simple_identifier) @name @def.variable))))
(genvar_declaration (list_of_genvar_identifiers (genvar_identifier (simple_identifier) @name @def.variable)))
(modport_item (modport_identifier (modport_identifier (simple_identifier) @name))) @def.property

; Types.
(type_declaration (data_type (struct_union)) (simple_identifier) @name .) @def.struct
(type_declaration (data_type (enum_name_declaration)) (simple_identifier) @name .) @def.enum
((type_declaration (simple_identifier) @name .) @def.type)
(struct_union_member (list_of_variable_decl_assignments (variable_decl_assignment . (simple_identifier) @name @def.field)))
(enum_name_declaration . (enum_identifier (simple_identifier) @name)) @def.enum_member
(text_macro_definition (text_macro_name (text_macro_identifier (simple_identifier) @name))) @def.macro
(comment) @comment
