; Derived from the grammar by `make grammars`.
(set (id) @bind.define)
(procedure name: (simple_word) @name) @def.function
((namespace . (word_list . (simple_word) @_how . (simple_word) @name)) @def.namespace (#eq? @_how "eval"))
(simple_word) @ref
(id) @ref
(braced_word) @ref
(quoted_word) @ref
(comment) @comment
