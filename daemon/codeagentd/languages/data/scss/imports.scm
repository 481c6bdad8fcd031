; Style sheets and modules; the rule "style" reads the statements.
(import_statement) @import
(use_statement) @import
(forward_statement) @import
((call_expression (function_name) @_f (arguments [(string_value) @import (plain_value) @import])) (#eq? @_f "url"))
