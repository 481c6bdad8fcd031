; Files that a constant, or a statement, gets by a literal name; the rule "zig" reads their parts.
((Decl (_ "=" . (_ (SuffixExpr . (BUILTINIDENTIFIER) @how . (FnCallArguments))))) @import (#eq? @how "@import"))
((Decl "usingnamespace" . (_ (SuffixExpr . (BUILTINIDENTIFIER) @how . (FnCallArguments)))) @import (#eq? @how "@import"))
((VarDecl "=" . (_ (SuffixExpr . (BUILTINIDENTIFIER) @how . (FnCallArguments)))) @import (#eq? @how "@import"))
((SuffixExpr . (BUILTINIDENTIFIER) @how . (FnCallArguments)) @import (#eq? @how "@import"))
