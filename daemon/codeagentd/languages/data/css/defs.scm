; Rules, by the selectors as written; those inside of other rules and of at-rules with conditions too.
(rule_set (selectors) @name) @def.rule
(keyframes_statement (keyframes_name) @name) @def.constant
((declaration (property_name) @name) @def.variable (#match? @name "^--"))
