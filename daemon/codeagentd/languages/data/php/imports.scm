; Use declarations, and files included by a path that is written out; the rule "php" reads their parts.
(namespace_use_declaration) @import
[(include_expression) (include_once_expression) (require_expression) (require_once_expression)] @import
