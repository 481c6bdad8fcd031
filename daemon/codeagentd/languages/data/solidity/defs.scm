; Contracts and their members. What begins without a name is called as Solidity calls it.
(contract_declaration "abstract"? @modifier name: (identifier) @name) @def.class
(interface_declaration name: (identifier) @name) @def.interface
(library_declaration name: (identifier) @name) @def.class
(inheritance_specifier ancestor: (user_defined_type (identifier) @base @ref.inherit))
(function_definition name: (identifier) @name return_type: (return_type_definition)? @returns) @def.function
(function_definition (parameter type: (_) @header))
(function_definition [(override_specifier) (virtual) (visibility)] @modifier)
(modifier_definition name: (identifier) @name) @def.function
(constructor_definition "constructor" @name) @def.constructor
(state_variable_declaration type: (_) @type name: (identifier) @name) @def.field
(state_variable_declaration (visibility) @modifier)
(event_definition name: (identifier) @name) @def.event
(error_declaration name: (identifier) @name) @def.type

; Types and constants of files and contracts.
(constant_variable_declaration type: (_) @type name: (identifier) @name) @def.constant
(struct_declaration name: (identifier) @name) @def.struct
(struct_member type: (_) @type name: (identifier) @name) @def.field
(enum_declaration name: (identifier) @name) @def.enum
(enum_value) @name @def.enum_member
(user_defined_type_definition name: (identifier) @name) @def.type
(comment) @comment
