; Import statements and re-exports, read by the rule "ecmascript"; an outer @import covers those inside it.
(import_statement) @import
(export_statement . "export" . [(export_clause) "*" (namespace_export) "type"] source: (_)) @import
((variable_declarator value: [
  (call_expression function: (identifier) @loader arguments: (arguments (string)))
  (member_expression object: (call_expression function: (identifier) @loader arguments: (arguments (string))))]) @import
  (#eq? @loader "require"))
(variable_declarator value: (await_expression (call_expression function: (import) arguments: (arguments (string))))) @import
((call_expression function: (identifier) @loader arguments: (arguments (string))) @import (#eq? @loader "require"))
(member_expression object: (call_expression function: (import) arguments: (arguments (string)))) @import
(call_expression function: (import) arguments: (arguments (string))) @import

; What a file offers.
(export_statement [declaration: (_) value: (_)]) @exported
(ambient_declaration [(internal_module body: (_) @exported) (module body: (_) @exported)])
(export_statement !source (export_clause) @export.list)
(export_statement !source (export_clause (export_specifier name: (identifier) @ref.reexport)))
(export_specifier alias: (_) @skip)
(export_statement "default" value: (identifier) @export.default @ref.reexport)
(export_statement "default" declaration: [
  (function_declaration name: (_) @export.default) (generator_function_declaration name: (_) @export.default) (function_signature name: (_) @export.default)
  (class_declaration name: (_) @export.default) (abstract_class_declaration name: (_) @export.default) (interface_declaration name: (_) @export.default)])
(export_statement "default" value: [
  (function_expression name: (_) @export.default) (generator_function name: (_) @export.default) (class name: (_) @export.default)])
(export_statement "=" (identifier) @export.module @ref.reexport)
