; Scopes and the names bound in them.
[(function) (lambda) (constructor_synonym)] @scope.function
[(let_in) (do) (list_comprehension) (alternative) (match) (lambda_case) (lambda_cases)] @scope.block
(bind name: (_)) @scope.block

; Every name that begins with a small letter in a pattern is bound there, but for the function of a view pattern.
(function patterns: (_) @bind.pattern)
(function (infix left_operand: (_) @bind.pattern right_operand: (_) @bind.pattern))
(function (function_head_parens (infix left_operand: (_) @bind.pattern right_operand: (_) @bind.pattern)))
(lambda patterns: (_) @bind.pattern)
(alternative pattern: (_) @bind.pattern)
(generator pattern: (_) @bind.pattern)
(pattern_guard pattern: (_) @bind.pattern)
(bind pattern: (_) @bind.pattern)
(constructor_synonym pattern: (_) @bind.pattern)
(pattern_synonym (equation synonym: (_) @bind.pattern))
(pattern_synonym (equation pattern: (_) @bind.pattern))
(view_pattern expression: (_) @bind.outside)
(field_pattern field: (_) @bind.outside pattern: (_))

; Functions and values of where and let belong to the scope around their own.
(local_binds (function name: [(variable) @bind.outer (prefix_id (_) @bind.outer)]))
(local_binds (function (infix operator: [(operator) @bind.outer (infix_id (_) @bind.outer)])))
(local_binds (bind name: [(variable) @bind.outer (prefix_id (_) @bind.outer)]))

; Identifiers that are no references.
(pattern_synonym (signature synonym: [(constructor) @skip (prefix_id (_) @skip)]))
(constructor_synonym pattern: [(constructor) @skip (infix operator: (_) @skip) (apply function: (constructor) @skip)])
(signature name: [(variable) @skip (prefix_id (_) @skip)])
(signature names: (binding_list name: [(variable) @skip (prefix_id (_) @skip)]))
(_ bind: (variable) @skip)
(fundep (variable) @skip)

; Types. Their variables are names with small letters, which are no names of the module.
[(data_type) (newtype) (type_synomym) (type_family) (data_family) (type_instance) (kind_signature) (role_annotation) (deriving_instance)] @region.type
(signature type: (_) @region.type)
(class context: (_) @region.type)
(class patterns: (_) @region.type)
(instance context: (_) @region.type)
(instance patterns: (_) @region.type)
(type_application type: (_) @region.type)
(explicit_type type: (_) @region.type)

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
[(variable) (constructor) (operator) (constructor_operator)] @ref
(name) @ref @typename
(qualified module: (module . (module_id) @ref))
(qualified module: (module (module_id) @ref.to @receiver . "." .))
(module_export module: (module . (module_id) @ref))
(module_export module: (module (module_id) @ref.to .))
(apply function: [(variable) @ref.call (qualified id: (variable) @ref.call)])
(infix operator: [(operator) @ref.call (qualified id: (operator) @ref.call)])
(infix_id [(variable) @ref.call (qualified id: (variable) @ref.call)])
(infix left_operand: [(variable) @ref.call (qualified id: (variable) @ref.call)] operator: (operator) @_apply (#any-of? @_apply "$" "$!" "<$>"))
(field_update field: [(field_name (variable) @ref.write) (qualified id: (field_name (variable) @ref.write))])
(instance name: [(name) @ref.implement (qualified id: (name) @ref.implement)])
(deriving classes: [(name) @ref.implement (_ (name) @ref.implement) (qualified id: (name) @ref.implement) (_ (qualified id: (name) @ref.implement))])
(export [(variable) @ref.reexport (name) @ref.reexport (prefix_id (_) @ref.reexport)])
(export children: (children [(variable) @ref.reexport (constructor) @ref.reexport (prefix_id (_) @ref.reexport)]))
