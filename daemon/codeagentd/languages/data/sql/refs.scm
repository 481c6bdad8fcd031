; Scopes: a statement's aliases and common tables are its own.
[(statement) (subquery)] @scope.block
(relation alias: (identifier) @bind)
(cte . (identifier) @bind)
(relation (object_reference) @typed.type alias: (identifier) @typed.name)

; Tables, views, functions; columns where they say whose they are.
(object_reference) @ref
(invocation (object_reference) @ref.call)
(field (object_reference) name: (identifier) @member)
(from (relation (object_reference) @ref.read_from))
(join (relation (object_reference) @ref.read_from))
(insert (object_reference) @ref.write)
(update (relation (object_reference) @ref.write))
(column_definition (keyword_references) . (object_reference) @ref.type)
(column_definition custom_type: (object_reference) @ref.type)
(constraint (keyword_references) . (object_reference) @ref.type)
((comment) @comment)
