; Tables and keys; those of inline tables are data.
(table . [(bare_key) (dotted_key) (quoted_key)] @name) @def.key
(table_array_element . [(bare_key) (dotted_key) (quoted_key)] @name) @def.key
(document (pair . [(bare_key) (dotted_key) (quoted_key)] @name) @def.key)
(table (pair . [(bare_key) (dotted_key) (quoted_key)] @name) @def.key)
(table_array_element (pair . [(bare_key) (dotted_key) (quoted_key)] @name) @def.key)
