; Derived from the grammar by `make grammars`.
(module_directive (module_path) @name) @def.module
(comment) @comment
