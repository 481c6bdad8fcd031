; Derived from the grammar by `make grammars`.
(module_statement (name) @name) @def.module
(derived_type_statement (type_name) @name) @def.type
(subroutine_statement name: (name) @name) @def.function
(function_statement name: (name) @name) @def.function
(preproc_function_def name: (identifier) @name) @def.function
(program_statement . (name) @name) @def.module
(interface_statement . (name) @name) @def.interface
(subroutine name: [(identifier) (local_name) (name) (type_name)] @name) @def.function
(module_procedure_statement name: (name) @name) @def.module
(function name: [(identifier) (local_name) (name) (type_name)] @name) @def.function
(base_type_specifier . (identifier) @name) @def.type
(procedure_statement declarator: (method_name) @name) @def.function
(type_statement . (identifier) @name) @def.type
(enumeration_type_statement . (type_name) @name) @def.enum
(enumerator_statement declarator: (identifier) @name) @def.enum_member
(parameters (identifier) @bind)
(parameter_assignment . (identifier) @bind)
(call_expression function: (identifier) @ref.call)
(subroutine_call . (identifier) @ref.call)
(identifier) @ref
(method_name) @ref
(local_name) @ref
(name) @ref
(type_name) @ref
(preproc_comment) @comment
(comment) @comment
