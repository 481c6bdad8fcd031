; Style sheets, and files that a url() names.
(import_statement [(string_value (string_content) @import) (call_expression (arguments [(string_value (string_content) @import) (plain_value) @import]))])
((call_expression (function_name) @_f (arguments [(string_value (string_content) @import) (plain_value) @import])) (#eq? @_f "url"))
