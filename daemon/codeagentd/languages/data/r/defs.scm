; Definitions. The capture spans the definition, @name the identifier alone.
(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"] rhs: (function_definition parameters: (_) @params)) @def.function
(program (binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]) @def.variable)
(program (binary_operator operator: ["->" "->>"] rhs: (identifier) @name) @def.variable)

; Classes: R6, reference classes, ggproto, S4; their members are arguments of lists.
((binary_operator operator: ["<-" "="] rhs: (call function: [(identifier) @_how (namespace_operator rhs: (identifier) @_how)])) @def.class
  (#any-of? @_how "R6Class" "setRefClass" "setClass" "ggproto"))
((program (call function: (identifier) @_how arguments: (arguments . (argument value: (string) @name))) @def.class)
  (#any-of? @_how "setClass" "setClassUnion" "setRefClass"))
((program (call function: (identifier) @_how arguments: (arguments . (argument value: (string) @name))) @def.function)
  (#any-of? @_how "setGeneric"))
((call function: [(identifier) @_how (namespace_operator rhs: (identifier) @_how)] arguments: (arguments (argument name: (identifier) @_part
  value: (call arguments: (arguments (argument name: (identifier) @name value: (function_definition parameters: (_) @params)) @def.method)))))
  (#any-of? @_how "R6Class" "setRefClass") (#any-of? @_part "public" "private" "active" "methods"))
((call function: [(identifier) @_how (namespace_operator rhs: (identifier) @_how)] arguments: (arguments (argument name: (identifier) @_part
  value: (call arguments: (arguments (argument name: (identifier) @name) @def.field)))))
  (#any-of? @_how "R6Class" "setRefClass") (#any-of? @_part "public" "private" "fields"))
((call function: (identifier) @_how arguments: (arguments (argument name: (identifier) @name value: (function_definition parameters: (_) @params)) @def.method))
  (#eq? @_how "ggproto"))
((call function: [(identifier) @_how (namespace_operator rhs: (identifier) @_how)] arguments: (arguments (argument name: (identifier) @_part value: (identifier) @base @ref.inherit)))
  (#eq? @_how "R6Class") (#eq? @_part "inherit"))
((call function: (identifier) @_how arguments: (arguments . (argument value: (string) @name))) @def.function
  (#eq? @_how "test_that"))
