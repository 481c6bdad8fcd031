; Derived from the grammar by `make generic-languages`.
(struct_entry (identifier) @name) @def.key
(line_comment) @comment
(block_comment) @comment
