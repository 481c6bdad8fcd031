; Derived from the grammar by `make grammars`.
(open account: (account) @name) @def.key
(comment) @comment
