; Derived from the grammar by `make grammars`.
(class name: (identifier) @name) @def.class
(multiclass (identifier) @name) @def.class
(def_var . (identifier) @bind.define)
(let_item . (identifier) @bind.define)
(identifier) @ref
(var) @ref
(comment) @comment
(multiline_comment) @comment
