; Occurrences. A bare name is a variable unless it is called, or names a type in a specification.
(call target: (identifier) @ref @typename.region)
(identifier) @typename.region
((identifier) @ref (#eq? @ref "__MODULE__"))
(alias) @ref.dotted
(dot left: [(alias) (dot)] right: (identifier) @ref @typename.region)
((dot left: (identifier) @_module right: (identifier) @ref @typename.region) (#eq? @_module "__MODULE__"))
(dot left: (_) @receiver)

(call (arguments) @called)
(call (do_block) @called.block)
; The first argument of a function after a pipe stands before it.
(binary_operator operator: "|>" right: [
  (identifier) @ref @ref.call @called.piped
  (call target: [(identifier) @called.piped (dot right: (identifier) @called.piped)])])
(call target: (dot left: (alias) right: (identifier) @ref.call) .)

; A function that is named with the number of its arguments is no call; neither is the one that a specification is about.
(unary_operator operator: "&" operand: (binary_operator
  left: [(identifier) @ref @ref.read @called.arity (call target: (dot left: (_) right: (identifier) @ref.read @called.arity))] operator: "/" right: (integer)))
((unary_operator operator: "@" operand: (call target: (identifier) @_spec (arguments . [
    (binary_operator left: [(call target: (identifier) @ref.read @called.arity) (identifier) @ref @ref.read @called.arity] operator: "::")
    (binary_operator left: (binary_operator left: (call target: (identifier) @ref.read @called.arity) operator: "::") operator: "when")])))
  (#eq? @_spec "spec"))

; Attributes.
(unary_operator operator: "@" operand: (identifier)) @ref
(unary_operator operator: "@" operand: (call target: (identifier) @skip))
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute (arguments) @region.type))
  (#any-of? @_attribute "spec" "type" "typep" "opaque" "callback" "macrocallback"))
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute (arguments (_ left: (call (arguments (binary_operator left: (identifier) @skip operator: "::")))))))
  (#any-of? @_attribute "spec" "callback" "macrocallback"))
((call target: (identifier) @_how (arguments . (alias) @region.implement)) (#eq? @_how "defimpl"))
(struct) @region.type
