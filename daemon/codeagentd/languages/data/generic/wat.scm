; Derived from the grammar by `make grammars`.
(module_field_func identifier: (identifier) @name) @def.function
(module_field_global identifier: (identifier) @bind.define)
(identifier) @ref
(name) @ref
(comment_block_inner) @comment
(comment_block) @comment
(comment_block_annot) @comment
(comment_line) @comment
(comment_line_annot) @comment
