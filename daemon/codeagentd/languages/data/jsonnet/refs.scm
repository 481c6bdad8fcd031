; Scopes and the names bound in them.
[(anonymous_function) (forloop) (object)] @scope.function
(param identifier: (id) @bind)
(objlocal (bind . (id) @bind))
(forspec (id) @bind)

; Occurrences.
(id) @ref
(functioncall . (id) @ref.call)
