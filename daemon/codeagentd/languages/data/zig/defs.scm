; Definitions. The capture spans the definition, @name the identifier alone. Wildcards stand for nodes that can only be one: the longer a
; pattern is, the more of this grammar's expressions are looked at when it is compiled.
(Decl (VarDecl variable_type_function: (IDENTIFIER) @name)) @def.constant
(Decl (_ "var")) @def.variable

; Constants whose value is a type; those inside of functions are local types.
(Decl (_ "=" . (_ (SuffixExpr . (ContainerDecl) .)))) @def.struct
((Decl (_ "=" . (_ (SuffixExpr . (ContainerDecl (ContainerDeclType) @_how) .)))) @def.enum (#match? @_how "^enum"))
(Decl (_ "=" . (_ (SuffixExpr . (ErrorSetDecl) .)))) @def.enum
(Decl (_ "=" . (_ left: (_ (SuffixExpr . (ErrorSetDecl) .))))) @def.enum
((Decl (_ "=" . (_ (SuffixExpr . (BUILTINIDENTIFIER) @type . (FnCallArguments) .)))) @def.type (#match? @type "^.This$"))
(Statement (VarDecl variable_type_function: (IDENTIFIER) @name "=" . (_ (SuffixExpr . (ContainerDecl) .))) @def.struct)
((Statement (VarDecl "=" . (_ (SuffixExpr . (ContainerDecl (ContainerDeclType) @_how) .))) @def.enum) (#match? @_how "^enum"))
((Statement (VarDecl variable_type_function: (IDENTIFIER) @name "=" . (_ (SuffixExpr . (BUILTINIDENTIFIER) @type . (FnCallArguments) .))) @def.type)
  (#match? @type "^.This$"))

(ContainerField field_member: (IDENTIFIER) @name) @def.field
((ContainerDecl (ContainerDeclType) @_how (ContainerField . (doc_comment)* . (_ . (SuffixExpr . [(IDENTIFIER) (BuildinTypeExpr)] @name .))) @def.field)
  (#match? @_how "^union"))
((ContainerDecl (ContainerDeclType) @_how (ContainerField . (doc_comment)* . (_ . (SuffixExpr . [(IDENTIFIER) (BuildinTypeExpr)] @name .))) @def.enum_member)
  (#match? @_how "^enum") (#not-eq? @name "_"))
(ErrorSetDecl field_constant: (IDENTIFIER) @name @def.enum_member)

; A function that returns a type is a type with parameters.
((Decl (FnProto function: (IDENTIFIER) @name (ParamDeclList) @params (ErrorUnionExpr) @returns @region.returns @expects.result .)) @def.function
  (#not-eq? @returns "type"))
((Decl (FnProto function: (IDENTIFIER) @name (ParamDeclList) @params (ErrorUnionExpr) @returns .)) @def.struct (#eq? @returns "type"))
(SuffixExpr (FnProto function: (IDENTIFIER) @name (ParamDeclList) @params) @def.function)
(TestDecl (STRINGLITERALSINGLE) @name) @def.function

(_ "pub" @modifier.before . (Decl [(VarDecl) (FnProto)]))
(Decl ["export" "extern" "inline" "noinline" "threadlocal"] @modifier)
(doc_comment) @comment
(ContainerDecl (container_doc_comment) @doc)
