; Definitions. The capture spans the definition, @name the identifier alone.
(class_definition name: (identifier) @name) @def.class
(function_definition name: (identifier) @name parameters: (parameters) @params) @def.function
(function_definition return_type: (type) @returns)
(function_definition "async" @modifier)
(decorated_definition (decorator (_) @decorator))
((decorator (call function: [(identifier) @_fixture (attribute attribute: (identifier) @_fixture)]
    arguments: (argument_list (keyword_argument name: (identifier) @decorator @_automatic value: (true)))))
  (#match? @_fixture "fixture$") (#eq? @_automatic "autouse"))
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @base))
(type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)]) right: (_) @type) @def.type
; A name for a type. Source: Python library reference, "typing", "Type aliases".
((assignment left: (identifier) @name @bind.alias type: (type [(identifier) @_alias (attribute attribute: (identifier) @_alias)])
    right: [(string (string_content) @type @quoted) @region.type ([(identifier) (attribute)] @type @region.type)
      ([(subscript) (binary_operator)] @type @region.type @quoted.among)]) @def.type
  (#eq? @_alias "TypeAlias"))
((assignment left: (identifier) @name @bind.alias !type right: (subscript value: [(identifier) @_of (attribute attribute: (identifier) @_of)]) @type @region.type) @def.type
  (#any-of? @_of "Annotated" "AsyncGenerator" "AsyncIterable" "AsyncIterator" "Awaitable" "Callable" "Collection" "Coroutine" "Deque" "DefaultDict" "Dict"
    "FrozenSet" "Generator" "Iterable" "Iterator" "List" "Literal" "Mapping" "MutableMapping" "MutableSequence" "MutableSet" "Optional" "Sequence" "Set"
    "Tuple" "Type" "Union" "dict" "frozenset" "list" "set" "tuple" "type"))

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
