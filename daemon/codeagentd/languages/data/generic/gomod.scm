; Derived from the grammar by `make generic-languages`.
(module_directive (module_path) @name) @def.module
(comment) @comment
