; Definitions. The capture spans the definition, @name the identifier alone. A definition is a call of a macro such as `def`, which @modifier names.
((call target: (identifier) @how (arguments . [(alias) (dot)] @name @region.skip) (do_block)) @def.module (#eq? @how "defmodule"))
((call target: (identifier) @how (arguments . (alias) @name @region.skip) (do_block)) @def.interface (#eq? @how "defprotocol"))

; The implementation of a protocol is a module of both names.
((call target: (identifier) @how (arguments . (alias) @name @name.around @base)) @def.module (#eq? @how "defimpl"))
((call target: (identifier) @how (arguments (keywords (pair key: (keyword) @key value: [(alias) @header (list . (alias) @header)]))))
  (#eq? @how "defimpl") (#match? @key "^for:"))
((unary_operator operator: "@" operand: (call target: (identifier) @how (arguments . (alias) @base @region.implement))) (#eq? @how "behaviour"))

; Functions, macros and guards, with or without parameters and a guard.
((call target: (identifier) @modifier (arguments . [
    (call target: (identifier) @name (arguments)? @params)
    (identifier) @name
    (binary_operator left: (call target: (identifier) @name (arguments)? @params) operator: "when")
    (binary_operator left: (identifier) @name operator: "when")])) @def.function
  (#any-of? @modifier "def" "defp" "defdelegate" "defn" "defnp"))
((call target: (identifier) @modifier (arguments . [
    (call target: (identifier) @name (arguments)? @params)
    (identifier) @name
    (binary_operator left: (call target: (identifier) @name (arguments)? @params) operator: "when")
    (binary_operator left: (identifier) @name operator: "when")])) @def.macro
  (#any-of? @modifier "defmacro" "defmacrop" "defguard" "defguardp"))
; Operators are functions of two arguments.
((call target: (identifier) @modifier (arguments . (binary_operator left: (_) operator: _ @name right: (_)) @params)) @def.function
  (#any-of? @modifier "def" "defp") (#not-match? @name "^when$"))
((call target: (identifier) @modifier (arguments . (binary_operator left: (_) operator: _ @name right: (_)) @params)) @def.macro
  (#any-of? @modifier "defmacro" "defmacrop") (#not-match? @name "^when$"))
((call target: (identifier) @modifier (arguments . (binary_operator left: (binary_operator left: (_) operator: _ @name right: (_)) @params operator: "when"))) @def.function
  (#any-of? @modifier "def" "defp"))

; Tests have their descriptions as names.
((call target: (identifier) @modifier (arguments . (string . (quoted_content) @name .)) (do_block)) @def.function (#any-of? @modifier "test" "property"))

; Callbacks and types.
((unary_operator operator: "@" operand: (call target: (identifier) @how @required (arguments . (binary_operator
    left: [(call target: (identifier) @name (arguments)? @params) (identifier) @name] operator: "::" right: (_) @returns)))) @def.function
  (#any-of? @how "callback" "macrocallback"))
((unary_operator operator: "@" operand: (call target: (identifier) @how @required (arguments . (binary_operator left: (binary_operator
    left: [(call target: (identifier) @name (arguments)? @params) (identifier) @name] operator: "::" right: (_) @returns) operator: "when")))) @def.function
  (#any-of? @how "callback" "macrocallback"))
((unary_operator operator: "@" operand: (call target: (identifier) @modifier (arguments . (binary_operator
    left: [(call target: (identifier) @name (arguments) @params) (identifier) @name] operator: "::" right: (_) @type)))) @def.type
  (#any-of? @modifier "type" "typep" "opaque"))

; Fields of structs and exceptions.
((call target: (identifier) @how (arguments . [
    (list [(atom) @name @def.field (keywords (pair key: (keyword) @name) @def.field)])
    (keywords (pair key: (keyword) @name) @def.field)]))
  (#any-of? @how "defstruct" "defexception"))

; Attributes of modules, except those that the language reads.
((unary_operator operator: "@" @name.first operand: (call target: (identifier) @name (arguments))) @def.constant
  (#not-match? @name "^(after_(compile|verify)|before_compile|behaviour|(macro)?callback|compile|deprecated|derive|dialyzer|(module|type)?doc|enforce_keys|external_resource|fallback_to_any|file|impl|(module|describe)?tag|nifs|on_definition|on_load|opaque|optional_callbacks|protocol|since|spec|typep?|vsn)$"))

; Documentation is an attribute too; the rule "attributes" finds what it is about.
((unary_operator operator: "@" operand: (call target: (identifier) @how (arguments . [(string) (sigil)]))) @doc (#eq? @how "moduledoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @how (arguments . [(string) (sigil)]))) @comment (#any-of? @how "doc" "typedoc" "deprecated"))
