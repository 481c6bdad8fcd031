; Derived from the grammar by `make grammars`.
(call (arguments (alias) @name)) @def.module
((call . (identifier) @_how . (arguments . (call . target: (identifier) @name))) @def.function (#eq? @_how "def"))
((call . (identifier) @_how . (arguments . (call . target: (identifier) @name))) @def.function (#eq? @_how "defp"))
((call . (identifier) @_how . (arguments . (call . target: (identifier) @name))) @def.macro (#eq? @_how "defmacro"))
(struct . [(atom) (identifier) (quoted_atom)] @name) @def.struct
(call target: (identifier) @ref.call)
(access_call target: [(atom) (identifier) (quoted_atom)] @ref.call)
(atom) @ref
(sigil_name) @ref
(identifier) @ref
(comment) @comment
