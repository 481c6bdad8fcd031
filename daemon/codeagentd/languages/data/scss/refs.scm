; Variables, mixins, functions. A parameter or a variable of a block is a local one.
(variable) @ref
(parameter (variable) @bind)
((block (declaration (property_name) @bind) ) (#match? @bind "^[$]"))
(each_statement [key: (variable) @bind value: (variable) @bind])
[(mixin_statement) (function_statement) (each_statement) (for_statement)] @scope.block
(include_statement . (identifier) @ref)
(include_statement . (identifier) @ref.call . [(arguments) (block) ";"])
(include_statement (ERROR (ERROR) @member @ref.call))
((plain_value) @ref.dotted (#match? @ref.dotted "^[A-Za-z_][-A-Za-z0-9_]*[.][$]"))
(call_expression (function_name) @ref.dotted)
((call_expression (function_name) @_f (arguments . (plain_value) @ref)) (#eq? @_f "var"))
((declaration (property_name) @_p (plain_value) @ref) (#any-of? @_p "animation" "animation-name"))
