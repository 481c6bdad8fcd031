; Addresses: two words, three for what is read of existing things.
(expression . (variable_expr (identifier) @ref @ref.use) . (get_attr (identifier) @ref.to))
((expression . (variable_expr (identifier) @_d) . (get_attr) . (get_attr (identifier) @ref.to)) (#eq? @_d "data"))
(for_intro (identifier) @bind)
[(for_object_expr) (for_tuple_expr)] @scope.block
