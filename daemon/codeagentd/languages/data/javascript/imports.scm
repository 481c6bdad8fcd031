; Import statements and re-exports, read by the rule "ecmascript"; an outer @import covers those inside it.
(import_statement) @import
(export_statement . "export" . [(export_clause) "*" (namespace_export)] source: (_)) @import
((variable_declarator value: [
  (call_expression function: (identifier) @loader arguments: (arguments (string)))
  (member_expression object: (call_expression function: (identifier) @loader arguments: (arguments (string))))]) @import
  (#eq? @loader "require"))
(variable_declarator value: (await_expression (call_expression function: (import) arguments: (arguments (string))))) @import
((assignment_expression left: (member_expression object: (identifier) @exports) right: [
  (call_expression function: (identifier) @loader arguments: (arguments (string)))
  (member_expression object: (call_expression function: (identifier) @loader arguments: (arguments (string))))]) @import
  (#eq? @loader "require") (#match? @exports "^(module|exports)$"))
((call_expression function: (identifier) @loader arguments: (arguments (string))) @import (#eq? @loader "require"))
(member_expression object: (call_expression function: (import) arguments: (arguments (string)))) @import
(call_expression function: (import) arguments: (arguments (string))) @import
((comment) @import (#match? @import "jsxImportSource[ \t]"))

; What a file offers.
(export_statement [declaration: (_) value: (_)]) @exported
(export_statement !source (export_clause) @export.list)
(export_statement !source (export_clause (export_specifier name: (identifier) @ref.reexport)))
(export_specifier alias: (_) @skip)
(export_statement "default" value: (identifier) @export.default @ref.reexport)
(export_statement "default" declaration: [
  (function_declaration name: (_) @export.default) (generator_function_declaration name: (_) @export.default) (class_declaration name: (_) @export.default)])
(export_statement "default" value: [
  (function_expression name: (_) @export.default) (generator_function name: (_) @export.default) (class name: (_) @export.default)])

; The same in CommonJS.
((assignment_expression left: (member_expression) @exports right: (identifier) @export.module @ref.reexport) (#eq? @exports "module.exports"))
((assignment_expression left: (member_expression property: (_) @export.module) @exports right: [
    (arrow_function) (function_expression !name) (generator_function !name) (class !name)])
  (#eq? @exports "module.exports"))
((assignment_expression left: (member_expression) @exports right: [
    (function_expression name: (_) @export.module) (generator_function name: (_) @export.module) (class name: (_) @export.module)])
  (#eq? @exports "module.exports"))
((assignment_expression left: (member_expression) @exports right: (object) @export.object) (#eq? @exports "module.exports"))
((assignment_expression left: (member_expression object: (identifier) @exports) right: (_) @_held) @export.assignment (#eq? @exports "exports"))
((assignment_expression left: (member_expression object: (member_expression) @exports)) @export.assignment (#eq? @exports "module.exports"))
((variable_declarator name: (identifier) @export.module value: (assignment_expression left: (member_expression) @exports)) (#eq? @exports "module.exports"))
((variable_declarator name: (identifier) @export.module value: (assignment_expression right: (assignment_expression left: (member_expression) @exports)))
  (#eq? @exports "module.exports"))
