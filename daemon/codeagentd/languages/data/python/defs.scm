; Definitions. The capture spans the definition, @name the identifier alone.
(class_definition name: (identifier) @name) @def.class
(function_definition name: (identifier) @name parameters: (parameters) @params) @def.function
(function_definition return_type: (type) @returns)
(function_definition "async" @modifier)
(decorated_definition (decorator (_) @decorator))
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @base))
(type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)]) right: (_) @type) @def.type

(class_definition body: (block . (string) @doc))
(function_definition body: (block . (string) @doc))
(module . (comment)* . (string) @doc)

; A name assigned in a module or class body is a definition, in a function a local variable.
(assignment left: (identifier) @bind.define)
(assignment left: (identifier) @bind.define type: (type) @bind.annotation)
[(assignment left: (attribute attribute: (identifier) @bind.member))
 (pattern_list (attribute attribute: (identifier) @bind.member))
 (tuple_pattern (attribute attribute: (identifier) @bind.member))
 (for_statement left: (attribute attribute: (identifier) @bind.member))
 (as_pattern_target (attribute attribute: (identifier) @bind.member))]
