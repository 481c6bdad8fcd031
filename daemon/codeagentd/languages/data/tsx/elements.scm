; What TSX adds: elements. A capital or a dot names a component, everything else is the page's own.
(jsx_opening_element name: [(identifier) @ref.call (member_expression property: (_) @ref.call)])
(jsx_self_closing_element name: [(identifier) @ref.call (member_expression property: (_) @ref.call)])
((jsx_opening_element name: (identifier) @skip) (#match? @skip "^[a-z]"))
((jsx_closing_element name: (identifier) @skip) (#match? @skip "^[a-z]"))
((jsx_self_closing_element name: (identifier) @skip) (#match? @skip "^[a-z]"))
(jsx_namespace_name (identifier) @skip)
[(jsx_element) (jsx_self_closing_element)] @component
((comment) @import (#match? @import "jsxImportSource[ \t]"))

; const Shelf = memo((props) => …); one that makes no elements stays a constant.
((program (lexical_declaration (variable_declarator name: (identifier) @name @wrapped value: (call_expression arguments: (arguments . [
  (arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]))) @def.function))
  (#match? @name "^[A-Z][A-Za-z0-9]*[a-z]"))
((export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name @wrapped value: (call_expression arguments: (arguments . [
  (arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]))) @def.function))
  (#match? @name "^[A-Z][A-Za-z0-9]*[a-z]"))
