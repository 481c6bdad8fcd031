; Derived from the grammar by `make grammars`.
(entry key: (key_brace) @name) @def.key
(comment) @comment
