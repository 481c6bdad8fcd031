; Modules that are required by a literal name; the rule "lua" reads their parts.
((variable_declaration (assignment_statement (expression_list value: (function_call name: (identifier) @how)))) @import (#eq? @how "require"))
((variable_declaration (assignment_statement (expression_list value: (dot_index_expression table: (function_call name: (identifier) @how))))) @import
  (#eq? @how "require"))
((chunk (assignment_statement (variable_list . name: (identifier) .) (expression_list . value: (function_call name: (identifier) @how) .)) @import)
  (#eq? @how "require"))
((chunk (return_statement (expression_list . (function_call name: (identifier) @how) .)) @import) (#eq? @how "require"))
((function_call name: (identifier) @how) @import (#any-of? @how "require" "dofile" "loadfile"))
