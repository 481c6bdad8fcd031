; Commands of one's own.
(function_def (function_command (argument_list . (argument) @name) @params)) @def.function
(macro_def (macro_command (argument_list . (argument) @name) @params)) @def.macro

; Targets, options, and variables that a build keeps. Names that variables make up are none.
((normal_command (identifier) @how (argument_list . (argument (unquoted_argument) @name))) @def.target
  (#match? @how "(?i)^(add_(library|executable|custom_target)|qt_?[0-9]*_add_(library|executable))$") (#not-match? @name "[$]"))
((normal_command (identifier) @how (argument_list . (argument (unquoted_argument) @name))) @def.module (#match? @how "(?i)^project$") (#not-match? @name "[$]"))
((normal_command (identifier) @how (argument_list . (argument (unquoted_argument) @name))) @def.variable
  (#match? @how "(?i)^(set|option|cmake_dependent_option)$") (#not-match? @name "[$]"))
[(line_comment) (bracket_comment)] @comment
