; Derived from the grammar by `make grammars`.
(identification_division (program_name) @name) @def.module
(data_description (entry_name) @bind.define)
(procedure_division (paragraph_header) @name) @def.function
(constant_entry name: (WORD) @name) @def.constant
(function_ name: [(qualified_word) (WORD)] @name) @def.function
(apply_clause . (qualified_word) @ref.call)
(call_statement . (qualified_word) @ref.call)
(call_param_arg . (qualified_word) @ref.call)
(NOT_CLASS_NAME) @ref
(program_name) @ref
(special_name) @ref
(repository_name) @ref
(CLASS_NAME) @ref
(FILE_ID) @ref
(MNEMONIC_NAME) @ref
(WORD) @ref
(comment) @comment
(comment_entry) @comment
