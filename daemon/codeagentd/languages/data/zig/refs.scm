; Scopes and the names bound in them.
(SuffixExpr (FnProto) @scope.function)
[(Block) (IfStatement) (IfExpr) (LabeledStatement) (LoopExpr) (SwitchProng) (TestDecl)] @scope.block

(ParamDecl parameter: (IDENTIFIER) @bind)
(Statement (VarDecl variable_type_function: (IDENTIFIER) @bind @declared) @declaration)
(_ variable: (IDENTIFIER) @bind)

; Identifiers that are no references.
(BlockLabel (IDENTIFIER) @skip)
(BreakLabel (IDENTIFIER) @skip)

; Occurrences. Every identifier is a @ref; the more telling captures say what it does there.
(IDENTIFIER) @ref
(FnCallArguments) @called
(SuffixOp "[" . (_) . "]") @indexed
(SuffixOp [".?" ".*" ".."]) @generic
(AssignExpr . (_ (SuffixExpr variable_type_function: (IDENTIFIER) @ref.write .)) (AssignOp))
(AssignExpr . (_ (SuffixExpr (_ field_access: (IDENTIFIER) @ref.write) .)) (AssignOp))
(Decl (FnProto (ParamDeclList (ParamDecl (ParamType) @region.accepts))))

; Fields named in the braces behind a type.
(_ (ErrorUnionExpr) @instance . (InitList) @initializer)
(InitList) @initializer.unknown
(_ (ErrorUnionExpr) . (InitList (FieldInit field_member: (IDENTIFIER) @initialized)))

; Enum literals, and the fields of literals without a type: members of the type that the context expects.
(SuffixExpr . "." . field_constant: (IDENTIFIER) @implied)
(SuffixExpr "." . (InitList (FieldInit field_member: (IDENTIFIER) @implied.field)))
(VarDecl ":" . (PrefixTypeOp)* . (ErrorUnionExpr) @expects "=" . (_) @expected)
(ContainerField ":" . (PrefixTypeOp)* . (ErrorUnionExpr) @expects "=" . (_) @expected)
(AssignExpr . (_) @expects.value (AssignOp))
(AssignExpr (AssignOp) . (_) @expected)
(BinaryExpr left: (_) @expects.value)
(BinaryExpr right: (_) @expected)
(FieldInit field_member: (IDENTIFIER) @expects.value "=" . (_) @expected)
(SwitchExpr "(" . (_) @expects.case . ")")
(SwitchItem . (_) @expected.case)
(FnCallArguments (_) @expected.argument)
(_ "return" . (_) @expected.result)
