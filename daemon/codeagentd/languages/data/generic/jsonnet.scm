; Derived from the grammar by `make grammars`.
(document (local_bind (bind (id) @bind.define)))
(local_bind (bind function: (id) @name)) @def.function
(field (fieldname (id) @name) . (object)) @def.key
(object . (member . (field . (fieldname . (id) @name)))) @def.key
(field function: (fieldname (id) @name) @def.function)
(param identifier: (id) @bind)
(id) @ref
(comment) @comment
