; Derived from the grammar by `make generic-languages`.
(open account: (account) @name) @def.key
(comment) @comment
