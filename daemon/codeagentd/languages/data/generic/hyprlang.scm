; Derived from the grammar by `make grammars`.
(declaration name: (variable) @bind.define)
(section name: (name) @name) @def.key
(assignment name: (name) @name) @def.key
(comment) @comment
