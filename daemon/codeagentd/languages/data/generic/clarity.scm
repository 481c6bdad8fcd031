; Derived from the grammar by `make grammars`.
(constant_definition (identifier) @name) @def.constant
(variable_definition (identifier) @bind.define)
(mapping_definition (identifier) @bind.define)
(private_function (function_signature (identifier) @name)) @def.function
(public_function (function_signature (identifier) @name)) @def.function
(trait_definition . (identifier) @name) @def.trait
(trait_implementation trait_name: (identifier) @name) @def.trait
(contract_principal_lit . (identifier) @name) @def.class
(function_parameter . (identifier) @bind)
(contract_function_call . (identifier) @ref.call)
(identifier) @ref
(native_identifier) @ref
(comment) @comment
