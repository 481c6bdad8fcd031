; Occurrences. An atom is a value unless it is called, or names a module, a record or a type.
(call expr: (atom) @ref @typename.region)
(call expr: (remote fun: (atom) @ref @typename.region))
(remote_module module: (atom) @ref @receiver @typename)
(remote_module module: (macro_call_expr) @receiver)
(macro_call_expr name: (_) @ref)
(call args: (expr_args) @called)
(macro_call_expr args: (macro_call_args) @called)

; A function that is named with the number of its arguments is no call; neither is the one that a specification is about.
(internal_fun fun: (atom) @ref @ref.read @called.arity)
(external_fun module: (module name: (atom) @ref @receiver @typename))
(external_fun module: (module name: (macro_call_expr) @receiver))
(external_fun fun: (atom) @ref @ref.read @called.arity)
(export_attribute funs: (fa fun: (atom) @ref @ref.read @called.arity))
(spec fun: (atom) @ref @ref.read @called.arity)

; Records and their fields.
(record_name name: (atom) @ref @ref.read)
(record_field_expr name: (record_name name: (atom) @receiver) field: (record_field_name name: (atom) @ref @ref.read))
(record_index_expr name: (record_name name: (atom) @receiver) field: (record_field_name name: (atom) @ref @ref.read))
[(record_expr name: (record_name name: (atom) @instance) "{" @initializer.open "}" @initializer.close)
 (record_update_expr name: (record_name name: (atom) @instance) "{" @initializer.open "}" @initializer.close)]
[(record_expr fields: (record_field name: (atom) @ref @ref.read @initialized)) (record_update_expr fields: (record_field name: (atom) @ref @ref.read @initialized))]

; Types and behaviours.
[(spec) (type_alias) (opaque) (nominal) (callback) (field_type)] @region.type
(behaviour_attribute name: (atom) @ref @ref.implement)
