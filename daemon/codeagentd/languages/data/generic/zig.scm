; Derived from the grammar by `make grammars`.
(VarDecl variable_type_function: (IDENTIFIER) @name) @def.constant
(ContainerDecl (Decl (FnProto function: (IDENTIFIER) @name))) @def.function
(FnProto function: (IDENTIFIER) @name) @def.function
(ErrorSetDecl . (IDENTIFIER) @name) @def.enum
(ContainerDeclType variable: (IDENTIFIER) @name) @def.type
(ParamDecl . (IDENTIFIER) @bind)
(FieldOrFnCall . (IDENTIFIER) @ref.call)
(CallConv function: (IDENTIFIER) @ref.call)
(IDENTIFIER) @ref
(container_doc_comment) @comment
(doc_comment) @comment
(line_comment) @comment
