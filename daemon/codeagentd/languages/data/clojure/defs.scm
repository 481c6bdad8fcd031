; Definitions. The capture spans the definition, @name the identifier alone. A namespace extends to the end of its file.
((list_lit . value: (sym_lit name: (sym_name) @how) . value: (sym_lit name: (sym_name) @name)) @def.namespace @rest (#eq? @how "ns"))
((list_lit . value: (sym_lit name: (sym_name) @modifier) . value: (sym_lit name: (sym_name) @name)) @def.function
  (#match? @modifier "^(defn-?|defn\\+|defmulti|deftest-?|defspec|defndata)$"))
((list_lit . value: (sym_lit name: (sym_name) @modifier) . value: (sym_lit name: (sym_name) @name)) @def.macro (#eq? @modifier "defmacro"))
((list_lit . value: (sym_lit name: (sym_name) @modifier) . value: (sym_lit name: (sym_name) @name)) @def.variable (#any-of? @modifier "def" "defonce"))
((list_lit . value: (sym_lit name: (sym_name) @how) . value: (sym_lit name: (sym_name) @name)) @def.interface
  (#any-of? @how "defprotocol" "definterface"))
((list_lit . value: (sym_lit name: (sym_name) @how) . value: (sym_lit name: (sym_name) @name) . value: (vec_lit) @params) @def.record (#eq? @how "defrecord"))
((list_lit . value: (sym_lit name: (sym_name) @how) . value: (sym_lit name: (sym_name) @name) . value: (vec_lit) @params) @def.class (#eq? @how "deftype"))
((list_lit . value: (sym_lit name: (sym_name) @how) . value: (sym_lit) . value: (vec_lit value: (sym_lit name: (sym_name) @name @def.field)))
  (#any-of? @how "defrecord" "deftype"))
; A method of a multimethod is told apart by the value that selects it.
((list_lit . value: (sym_lit name: (sym_name) @how) . value: (sym_lit !namespace name: (sym_name) @name @name.around) . value: (_) @header . value: (vec_lit)? @params)
  @def.method (#eq? @how "defmethod"))

; Methods of a protocol, and those of a type that implements one.
((list_lit . value: (sym_lit name: (sym_name) @how) . value: (sym_lit)
    value: (list_lit . value: (sym_lit name: (sym_name) @name) value: (vec_lit) @params) @def.method)
  (#any-of? @how "defprotocol" "definterface" "defrecord" "deftype"))
((list_lit . value: (sym_lit name: (sym_name) @how) value: (sym_lit (sym_name) @base @ref.implement) . value: (list_lit)) (#any-of? @how "defrecord" "deftype"))

; Parameters, of one or several bodies.
((list_lit . value: (sym_lit name: (sym_name) @how) . value: (sym_lit) . value: (str_lit)? . value: (map_lit)? . value: (vec_lit) @params)
  (#match? @how "^(defn-?|defmacro)$"))
((list_lit . value: (sym_lit name: (sym_name) @how) . value: (sym_lit) . value: (str_lit)? . value: (map_lit)? . value: (list_lit . value: (vec_lit) @params))
  (#match? @how "^(defn-?|defmacro)$"))
(sym_lit meta: (meta_lit value: (kwd_lit) @modifier) name: (sym_name))
(sym_lit meta: (meta_lit value: (map_lit value: (kwd_lit) @modifier)) name: (sym_name))

; Documentation is a string after the name.
((list_lit . value: (sym_lit name: (sym_name) @how) . value: (sym_lit) . value: (str_lit) @doc . value: (_)) (#match? @how "^(def.*)$"))
((list_lit . value: (sym_lit name: (sym_name) @how) . value: (sym_lit) . value: (str_lit) @doc) (#any-of? @how "ns" "defprotocol"))
((list_lit . value: (sym_lit name: (sym_name) @how) . value: (sym_lit) value: (list_lit . value: (sym_lit) value: (str_lit) @doc)) (#eq? @how "defprotocol"))
