; Using directives; the rule "csharp" reads their parts.
(using_directive) @import
