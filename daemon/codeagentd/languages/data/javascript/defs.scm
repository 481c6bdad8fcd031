; Definitions. The capture spans the definition, @name the identifier alone. Where several kinds fit one node, one draft is made: a value (constant, field)
; gives way to any other kind, and an earlier kind of model.kinds.SymbolKind to a later one.
(function_declaration "async"? @modifier name: (identifier) @name parameters: (_) @params) @def.function
(generator_function_declaration "async"? @modifier name: (identifier) @name parameters: (_) @params) @def.function
(class_declaration name: (_) @name) @def.class

; A variable that holds a function or a class is one, wherever it stands.
(variable_declarator name: (identifier) @name value: [
  (arrow_function "async"? @modifier [parameters: (_) parameter: (_)] @params)
  (function_expression "async"? @modifier parameters: (_) @params)
  (generator_function "async"? @modifier parameters: (_) @params)]) @def.function
(variable_declarator name: (identifier) @name value: (class)) @def.class

; Members of classes.
(class_body (method_definition ["static" "async" "get" "set"] @modifier))
(field_definition "static" @modifier)
(class_body (method_definition name: [
    (property_identifier) @name (private_property_identifier) @name (computed_property_name) @name (number) @name (string (string_fragment) @name)]
  parameters: (_) @params) @def.method)
(field_definition property: [
    (property_identifier) @name (private_property_identifier) @name (computed_property_name) @name (number) @name (string (string_fragment) @name)]) @def.field
(field_definition value: [
  (arrow_function "async"? @modifier [parameters: (_) parameter: (_)] @params)
  (function_expression "async"? @modifier parameters: (_) @params)]) @def.method

; Variables of a file; those inside functions are locals.
(program [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @def.constant)
  (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @def.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @def.variable)])
(export_statement declaration: [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @def.constant)
  (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @def.variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @def.variable)])

; Functions in an object that a variable of the file holds are its methods.
(program [
  (lexical_declaration (variable_declarator value: (object [
    (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params) @def.method
    (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method])))
  (variable_declaration (variable_declarator value: (object [
    (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params) @def.method
    (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method])))])
(export_statement declaration: (lexical_declaration (variable_declarator value: (object [
  (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params) @def.method
  (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method]))))
(export_statement value: (object [
  (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params) @def.method
  (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method]))

; A default export without a name of its own is called default.
(export_statement "default" @name value: [
  (arrow_function "async"? @modifier [parameters: (_) parameter: (_)] @params)
  (function_expression "async"? @modifier !name parameters: (_) @params)
  (generator_function "async"? @modifier !name parameters: (_) @params)]) @def.function
(export_statement "default" @name value: (class !name)) @def.class
(export_statement "default" @name value: [
  (object) (array) (call_expression) (new_expression) (member_expression) (await_expression)
  (string) (template_string) (number) (ternary_expression) (binary_expression) (parenthesized_expression)]) @def.constant
(export_statement "default" value: [(function_expression name: (_) @name parameters: (_) @params) (generator_function name: (_) @name parameters: (_) @params)] @def.function)
(export_statement "default" value: (class name: (_) @name) @def.class)

; Shelf.prototype.lend = function …, shelf.lend = …, exports.lend = …: @owner says whose member it is.
(program (expression_statement (assignment_expression left: (member_expression object: [(identifier) (member_expression)] @owner property: (property_identifier) @name) right: [
  (arrow_function "async"? @modifier [parameters: (_) parameter: (_)] @params)
  (function_expression "async"? @modifier parameters: (_) @params)
  (generator_function "async"? @modifier parameters: (_) @params)]) @def.method) (#not-eq? @owner "module"))
((assignment_expression left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: [(class) (object) (array) (number) (string) (template_string) (regex) (call_expression) (new_expression) (binary_expression)]) @def.constant
  (#eq? @owner "exports"))
((assignment_expression left: (member_expression object: (identifier) @owner property: (property_identifier) @name) right: (class)) @def.class
  (#eq? @owner "exports"))
((assignment_expression left: (member_expression) @exports right: [
    (function_expression "async"? @modifier name: (_) @name parameters: (_) @params)
    (generator_function "async"? @modifier name: (_) @name parameters: (_) @params)] @def.function)
  (#eq? @exports "module.exports"))
((assignment_expression left: (member_expression property: (_) @name) @exports right: [
    (arrow_function "async"? @modifier [parameters: (_) parameter: (_)] @params)
    (function_expression "async"? @modifier !name parameters: (_) @params)
    (generator_function "async"? @modifier !name parameters: (_) @params)]) @def.function
  (#eq? @exports "module.exports"))
((assignment_expression left: (member_expression) @exports right: (class name: (_) @name) @def.class) (#eq? @exports "module.exports"))
((assignment_expression left: (member_expression property: (_) @name) @exports right: (class !name)) @def.class (#eq? @exports "module.exports"))
((assignment_expression left: (member_expression) @exports right: (object [
  (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params) @def.function
  (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.function]))
  (#eq? @exports "module.exports"))

; Components.
[(jsx_element) (jsx_self_closing_element)] @component
; const Shelf = memo((props) => …); one that makes no elements stays a constant.
((program (lexical_declaration (variable_declarator name: (identifier) @name @wrapped value: (call_expression arguments: (arguments . [
  (arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]))) @def.function))
  (#match? @name "^[A-Z][A-Za-z0-9]*[a-z]"))
((export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name @wrapped value: (call_expression arguments: (arguments . [
  (arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]))) @def.function))
  (#match? @name "^[A-Z][A-Za-z0-9]*[a-z]"))

; While a class is being typed.
(ERROR "class" . (identifier) @name) @def.class
(ERROR (property_identifier) @name @def.method . (formal_parameters) @params)
