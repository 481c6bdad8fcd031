; Targets and variables. Of several targets of one rule the first has its recipe; names in capitals behind a dot are orders to make itself.
((rule (targets . (word) @name)) @def.target (#not-match? @name "^[.][A-Z_]+$"))
(rule (targets (word) (word) @name @def.target))
(variable_assignment name: (word) @name) @def.variable
(shell_assignment name: (word) @name) @def.variable
(define_directive name: (word) @name) @def.variable
