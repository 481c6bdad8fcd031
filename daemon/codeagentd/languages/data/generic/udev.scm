; Derived from the grammar by `make generic-languages`.
(comment) @comment
