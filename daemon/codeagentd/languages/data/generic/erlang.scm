; Derived from the grammar by `make grammars`.
(module_attribute name: (atom) @name) @def.module
(record_decl name: (atom) @name) @def.struct
(function_clause name: (atom) @name) @def.function
(opaque name: (type_name) @name) @def.type
(call . [(atom) (var)] @ref.call)
(macro_call_expr name: [(atom) (var)] @ref.call)
(atom) @ref
(var) @ref
(comment) @comment
