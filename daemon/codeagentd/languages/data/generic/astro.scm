; Derived from the grammar by `make generic-languages`.
(attribute_name) @ref
(tag_name) @ref
(comment) @comment
