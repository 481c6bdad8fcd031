; Derived from the grammar by `make grammars`.
(comment) @comment
