; A package holds up to the next one, or in its block.
(package_statement name: (package) @name .) @def.class @rest.next
(package_statement name: (package) @name (number) .) @def.class @rest.next
(package_statement name: (package) @name (block)) @def.class
((package_statement (block)) @rest.next)
(subroutine_declaration_statement name: (bareword) @name) @def.function

; Constants and variables of packages.
((use_statement module: (package) @how (list_expression . (autoquoted_bareword) @name @def.constant)) (#eq? @how "constant"))
((use_statement module: (package) @how (anonymous_hash_expression (list_expression (autoquoted_bareword) @name @def.constant . "=>")))
  (#eq? @how "constant"))
(source_file (expression_statement (assignment_expression left: (variable_declaration "our" variable: (_ (varname) @name @def.variable)))))
(source_file (expression_statement (variable_declaration "our" variable: (_ (varname) @name @def.variable))))

((use_statement module: (package) @how (string_literal (string_content) @base @ref @ref.inherit)) (#any-of? @how "parent" "base"))
(comment) @comment
