; Scopes and the names bound in them: vectors of names and values by turns, and patterns.
((list_lit . value: (sym_lit !namespace name: (sym_name) @_how) . value: (vec_lit) @bind.pairs) @scope.block
  (#match? @_how "^(let|loop|for|doseq|dotimes|(if|when)-(let|some)|when-first|with-open|binding)$"))
((vec_lit value: (kwd_lit) @_let . value: (vec_lit) @bind.pairs) (#eq? @_let ":let"))
((list_lit . value: (sym_lit !namespace name: (sym_name) @_how) . value: (_) . value: (sym_lit) @bind.within) @scope.block (#eq? @_how "as->"))
((list_lit . value: (sym_lit !namespace name: (sym_name) @_how) . value: (sym_lit) . value: (sym_lit) @bind.within) @scope.block (#eq? @_how "catch"))
((list_lit . value: (sym_lit name: (sym_name) @_how) . value: (sym_lit)? @bind.within . value: (vec_lit) @bind.within) @scope.function (#eq? @_how "fn"))
((list_lit . value: (sym_lit name: (sym_name) @_how) . value: (sym_lit)? @bind.within . value: (list_lit . value: (vec_lit) @bind.within) @scope.function) @scope.function
  (#eq? @_how "fn"))
((list_lit . value: (sym_lit name: (sym_name) @_how) . value: (vec_lit value: (list_lit . value: (sym_lit) @bind.within . value: (vec_lit) @bind.within))) @scope.function
  (#eq? @_how "letfn"))
; Bodies of functions, macros, methods: with one vector of parameters, or several bodies.
((list_lit . value: (sym_lit name: (sym_name) @_how) value: (vec_lit) @bind.within) (#match? @_how "^(defn-?|defmacro|defmethod|defrecord|deftype)$"))
((list_lit . value: (sym_lit name: (sym_name) @_how) value: (list_lit . value: (vec_lit) @bind.within) @scope.function) (#match? @_how "^(defn-?|defmacro|defmethod)$"))
((list_lit . value: (sym_lit name: (sym_name) @_how) value: (list_lit . value: (sym_lit) value: (vec_lit) @bind.within) @scope.function)
  (#match? @_how "^(defrecord|deftype|defprotocol|reify|proxy|extend-type|extend-protocol)$"))

; Occurrences. Every symbol is a @ref; the more telling captures say what it does there.
(sym_lit name: (sym_name) @ref)
(sym_lit namespace: (sym_ns) @ref @receiver @outermost)
(list_lit . value: (sym_lit name: (sym_name) @ref.call))
((list_lit . value: (sym_lit name: (sym_name) @_how) value: (sym_lit name: (sym_name) @ref.implement) . value: (list_lit . value: (sym_lit)))
  (#any-of? @_how "defrecord" "deftype" "reify"))
((list_lit . value: (sym_lit name: (sym_name) @_how) . value: (_) value: (sym_lit name: (sym_name) @ref.implement) . value: (list_lit . value: (sym_lit)))
  (#any-of? @_how "extend-type"))
((list_lit . value: (sym_lit name: (sym_name) @_how) . value: (sym_lit name: (sym_name) @ref.implement)) (#eq? @_how "extend-protocol"))
(dis_expr) @region.skip
(sym_lit meta: (meta_lit) @region.skip)
((sym_name) @skip (#match? @skip "^([.%&_]|[.]|.*#$)"))
