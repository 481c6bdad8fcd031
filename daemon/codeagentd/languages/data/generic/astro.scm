; Derived from the grammar by `make grammars`.
(attribute_name) @ref
(tag_name) @ref
(comment) @comment
