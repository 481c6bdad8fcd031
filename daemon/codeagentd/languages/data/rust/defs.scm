; Definitions. The capture spans the definition, @name the identifier alone.
(mod_item name: (identifier) @name body: (_)) @def.module
(struct_item name: (_) @name) @def.struct
(union_item name: (_) @name) @def.struct
(enum_item name: (_) @name) @def.enum
(enum_variant name: (_) @name) @def.enum_member
(enum_variant body: (ordered_field_declaration_list) @params)
(struct_item body: (ordered_field_declaration_list) @params)
(field_declaration name: (_) @name type: (_) @type) @def.field
(trait_item name: (_) @name) @def.trait
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @base))
(type_item name: (_) @name type: (_) @type) @def.type
(associated_type name: (_) @name) @def.type
(associated_type bounds: (trait_bounds . (_) @type))
(macro_definition name: (_) @name) @def.macro
(const_item name: (_) @name type: (_) @type) @def.constant
(static_item name: (_) @name type: (_) @type) @def.variable

(function_item name: (_) @name parameters: (_) @params) @def.function
(function_item return_type: (_) @returns)
(function_signature_item name: (_) @name parameters: (_) @params) @def.function
(function_signature_item return_type: (_) @returns)
(trait_item body: (declaration_list (function_signature_item) @required))

; The members of an impl block belong to its type, wherever that is defined.
(impl_item type: (_) @name @owner) @def.type @implementation
(impl_item trait: (_) @header type: (_))
(impl_item trait: [(type_identifier) (scoped_type_identifier) (generic_type)] @base type: (_))

(visibility_modifier "pub" @modifier)
(visibility_modifier [(crate) (super)] @modifier)
(visibility_modifier "in" @modifier)
(function_modifiers ["async" "unsafe" "const"] @modifier)
(self_parameter (self) @modifier)
(parameter pattern: (self) @modifier)
(attribute_item (attribute . [(identifier) (scoped_identifier)] @decorator))

(line_comment outer: (_)) @comment
(block_comment outer: (_)) @comment
(mod_item body: (declaration_list . [(line_comment inner: (_)) (block_comment inner: (_))] @doc))
