; Derived from the grammar by `make grammars`.
(map (pair key: (string (string_content) @name))) @def.key
(comment) @comment
