; Derived from the grammar by `make generic-languages`.
(STag (Attribute (AttValue) @name)) @def.element
(Comment) @comment
