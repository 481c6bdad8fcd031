; Derived from the grammar by `make generic-languages`.
(operatorunit (identifier) @bind.define)
(identifier) @ref
(comment) @comment
