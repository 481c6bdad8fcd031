; Derived from the grammar by `make grammars`.
(attrpath attr: (identifier) @bind.define)
(identifier) @ref
(comment) @comment
