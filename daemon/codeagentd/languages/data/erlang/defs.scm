; Definitions. The capture spans the definition, @name the identifier alone. A module extends to the end of its file.
(module_attribute name: (atom) @name) @def.module @rest
(behaviour_attribute name: (atom) @base)
(fun_decl clause: (function_clause name: (atom) @name args: (expr_args) @params)) @def.function
(pp_define lhs: (macro_lhs name: (_) @name args: (var_args)? @params)) @def.macro
(record_decl name: (atom) @name) @def.record
(record_decl fields: (record_field name: (atom) @name) @def.field)
[(type_alias name: (type_name name: (atom) @name args: (var_args)? @params) ty: (_) @type)
 (opaque name: (type_name name: (atom) @name args: (var_args)? @params) ty: (_) @type)
 (nominal name: (type_name name: (atom) @name args: (var_args)? @params) ty: (_) @type)] @def.type
; A callback asks other modules for a function.
(callback fun: (atom) @name sigs: (type_sig args: (expr_args) @params ty: (_) @returns)) @def.function @required
; What is exported is public.
(export_attribute funs: (fa fun: (atom) @section.name)) @section.call
(export_type_attribute types: (fa fun: (atom) @section.name)) @section.call
[(export_attribute "export" @section.word) (export_type_attribute "export_type" @section.word)]
