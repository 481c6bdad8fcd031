; Derived from the grammar by `make grammars`.
(elementdecl (Name) @name) @def.element
(GEDecl (Name) @name) @def.key
(Comment) @comment
