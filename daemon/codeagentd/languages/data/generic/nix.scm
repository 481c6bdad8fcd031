; Derived from the grammar by `make generic-languages`.
(attrpath attr: (identifier) @bind.define)
(identifier) @ref
(comment) @comment
