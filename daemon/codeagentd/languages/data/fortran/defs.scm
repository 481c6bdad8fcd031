; Units of a program. A module is a name space, which others use.
(module (module_statement (name) @name)) @def.namespace
(submodule (submodule_statement ancestor: (_) (name) @name .)) @def.namespace
(program (program_statement (name) @name)) @def.function
(subroutine (subroutine_statement name: (name) @name parameters: (parameters)? @params)) @def.function
(function (function_statement name: (name) @name parameters: (parameters)? @params)) @def.function
(module_procedure (module_procedure_statement name: (name) @name)) @def.function
(interface (subroutine (subroutine_statement (name)) @signature))
(interface (function (function_statement (name)) @signature))
(interface (interface_statement (name) @name)) @def.interface

; Types and their members.
(derived_type_definition (derived_type_statement (type_name) @name)) @def.struct
(derived_type_statement base: (base_type_specifier (identifier) @base @ref.inherit))
(derived_type_definition (variable_declaration type: (_) @type) @group)
(derived_type_definition (variable_declaration declarator: [(identifier) @name @def.field
  (sized_declarator . (identifier) @name) @def.field
  (init_declarator left: [(identifier) @name (sized_declarator . (identifier) @name)]) @def.field
  (pointer_init_declarator left: [(identifier) @name (sized_declarator . (identifier) @name)]) @def.field]))
(procedure_statement declarator: (binding (binding_name (_) @name)) @def.method)
((derived_type_procedures (procedure_statement (procedure_kind) @how declarator: (method_name) @name @def.method)) (#match? @how "(?i)^(procedure|final)$"))
(enumerator_statement declarator: [(identifier) @name @def.enum_member (init_declarator left: (identifier) @name) @def.enum_member])

; Variables and constants of modules.
(module (variable_declaration type: (_) @type) @group)
(module (variable_declaration declarator: [(identifier) @name @def.variable
  (sized_declarator . (identifier) @name) @def.variable
  (init_declarator left: [(identifier) @name (sized_declarator . (identifier) @name)]) @def.variable
  (pointer_init_declarator left: [(identifier) @name (sized_declarator . (identifier) @name)]) @def.variable]))
(comment) @comment
