; Local names of the file, and fields of objects, which may be methods.
(document (local_bind (bind !function . (id) @name) @def.variable))
(local_bind (local_bind (bind !function . (id) @name) @def.variable))
(local_bind (bind function: (id) @name params: (params)? @params) @def.function)
(field function: (fieldname [(id) (string)] @name) (params)? @params) @def.function
((field !function . (fieldname [(id) (string)] @name)) @def.key (#not-match? @def.key "^\\["))
(comment) @comment
