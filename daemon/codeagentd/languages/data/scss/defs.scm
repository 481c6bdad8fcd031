; Rules, by the selectors as written; mixins and functions; variables of the file.
(rule_set (selectors) @name) @def.rule
(placeholder (identifier)) @skip
(mixin_statement name: (identifier) @name (parameters)? @params) @def.function
(function_statement name: (identifier) @name (parameters)? @params) @def.function
(keyframes_statement (keyframes_name) @name) @def.constant
((stylesheet (declaration (property_name) @name) @def.variable) (#match? @name "^([$]|--)"))
((block (declaration (property_name) @name) @def.variable) (#match? @name "^--"))
