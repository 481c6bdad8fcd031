; Derived from the grammar by `make grammars`.
(struct_entry (identifier) @name) @def.key
(line_comment) @comment
(block_comment) @comment
