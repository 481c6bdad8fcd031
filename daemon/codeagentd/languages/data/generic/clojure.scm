; Derived from the grammar by `make grammars`.
((list_lit . (sym_lit) @_how . value: (sym_lit . name: (sym_name) @name)) @def.namespace (#eq? @_how "ns"))
((list_lit . (sym_lit) @_how . value: (sym_lit . name: (sym_name) @bind.define)) (#eq? @_how "def"))
((list_lit . (sym_lit) @_how . value: (sym_lit . name: (sym_name) @name)) @def.function (#eq? @_how "defn"))
((list_lit . (sym_lit) @_how . value: (sym_lit . name: (sym_name) @name)) @def.macro (#eq? @_how "defmacro"))
(anon_fn_lit name: (sym_name) @name) @def.function
(var_quoting_lit name: (sym_name) @bind.define)
(sym_name) @ref
(comment) @comment
