; Derived from the grammar by `make grammars`.
(module_declaration name: (upper_case_qid (upper_case_identifier) @name)) @def.module
(type_declaration name: (upper_case_identifier) @name) @def.type
(type_alias_declaration name: (upper_case_identifier) @name) @def.type
(value_declaration functionDeclarationLeft: (function_declaration_left (lower_case_identifier) @name)) @def.function
(lower_case_identifier) @ref
(upper_case_identifier) @ref
(line_comment) @comment
(block_comment) @comment
