; Derived from the grammar by `make grammars`.
(let name: (identifier) @bind.define)
(rule name: (identifier) @name) @def.target
(identifier) @ref
(comment) @comment
