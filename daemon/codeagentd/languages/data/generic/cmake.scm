; Derived from the grammar by `make grammars`.
((normal_command . (identifier) @_how . (argument_list . (argument . (unquoted_argument) @bind.define))) (#eq? @_how "set"))
(function_command (argument_list . (argument . (unquoted_argument) @name))) @def.function
(macro_command (argument_list . (argument . (unquoted_argument) @name))) @def.macro
((normal_command . (identifier) @_how . (argument_list . (argument . (unquoted_argument) @name))) @def.target (#eq? @_how "add_library"))
(identifier) @ref
(variable) @ref
(bracket_comment_open) @comment
(bracket_comment_content) @comment
(bracket_comment_close) @comment
(line_comment) @comment
(bracket_comment) @comment
