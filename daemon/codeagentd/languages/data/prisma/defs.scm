; Models and their fields, enumerations, sources and generators.
(model_block . (identifier) @name) @def.struct
(model_field field_name: (identifier) @name (field_type) @type) @def.field
(enum_block . (identifier) @name) @def.enum
(enum_block . (identifier) (identifier) @name @def.enum_member)
(key_value_block . (identifier) @name) @def.resource
[(comment) (document_comment)] @comment
