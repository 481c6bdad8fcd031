; Derived from the grammar by `make grammars`.
(package_statement name: (package) @name) @def.module
(subroutine_declaration_statement name: (bareword) @name) @def.function
(statement_label label: (identifier) @name) @def.function
(coderef_call_expression function: (identifier) @ref.call)
(ambiguous_function_call_expression function: (identifier) @ref.call)
(method_call_expression function: (identifier) @ref.call)
(container_variable) @ref
(slice_container_variable) @ref
(keyval_container_variable) @ref
(attribute_name) @ref
(identifier) @ref
(comment) @comment
