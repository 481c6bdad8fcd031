; Derived from the grammar by `make grammars`.
(label (ident) @name) @def.function
(word) @ref
(meta_ident) @ref
(block_comment) @comment
(line_comment) @comment
