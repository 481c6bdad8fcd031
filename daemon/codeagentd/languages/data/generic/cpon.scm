; Derived from the grammar by `make generic-languages`.
(map (pair key: (string (string_content) @name))) @def.key
(comment) @comment
