; Derived from the grammar by `make grammars`.
(STag (Attribute (AttValue) @name)) @def.element
(Comment) @comment
