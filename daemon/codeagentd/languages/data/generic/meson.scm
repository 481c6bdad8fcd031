; Derived from the grammar by `make grammars`.
(operatorunit (identifier) @bind.define)
(identifier) @ref
(comment) @comment
