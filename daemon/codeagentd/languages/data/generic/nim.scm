; Derived from the grammar by `make grammars`.
(parameter_declaration (symbol_declaration_list (symbol_declaration name: (identifier) @bind)))
(const_section (variable_declaration (symbol_declaration_list (symbol_declaration name: (identifier) @name)))) @def.constant
(type_symbol_declaration name: (exported_symbol (identifier) @name) @def.type)
(field_declaration (symbol_declaration_list (symbol_declaration name: (identifier) @name) @def.field))
(proc_declaration name: (identifier) @name) @def.function
(proc_declaration name: (exported_symbol (identifier) @name)) @def.function
(template_declaration name: (identifier) @name) @def.function
(func_declaration name: (identifier) @name) @def.function
(method_declaration name: (identifier) @name) @def.method
(macro_declaration name: (identifier) @name) @def.macro
(type_symbol_declaration name: (identifier) @name) @def.type
(enum_field_declaration . (identifier) @name) @def.enum
(variant_discriminator_declaration . (identifier) @name) @def.enum_member
(field_declaration . (identifier) @name) @def.field
(parameter_list (identifier) @bind)
(pointer_parameter . (identifier) @bind)
(ref_parameter . (identifier) @bind)
(static_parameter . (identifier) @bind)
(var_parameter . (identifier) @bind)
(parameter_declaration . (identifier) @bind)
(call function: (identifier) @ref.call)
(dot_generic_call function: (identifier) @ref.call)
(identifier) @ref
(blank_identifier) @ref
(comment_content) @comment
(block_documentation_comment) @comment
(block_comment) @comment
(documentation_comment) @comment
(comment) @comment
