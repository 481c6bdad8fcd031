; Derived from the grammar by `make grammars`.
(node (identifier) @name) @def.key
(node_comment) @comment
(multi_line_comment) @comment
(single_line_comment) @comment
(node_children_comment) @comment
(node_field_comment) @comment
