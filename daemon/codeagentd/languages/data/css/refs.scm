; Names that other declarations give: custom properties, and the keyframes of an animation.
((call_expression (function_name) @_f (arguments . (plain_value) @ref)) (#eq? @_f "var"))
((declaration (property_name) @_p (plain_value) @ref) (#any-of? @_p "animation" "animation-name"))

((comment) @comment (#match? @comment "^/[*][*]"))
