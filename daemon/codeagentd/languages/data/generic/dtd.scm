; Derived from the grammar by `make generic-languages`.
(elementdecl (Name) @name) @def.element
(GEDecl (Name) @name) @def.key
(Comment) @comment
