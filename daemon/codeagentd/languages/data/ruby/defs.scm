; Definitions. The capture spans the definition, @name the identifier alone. A module is a trait here: it has members, and others mix it in.
(class name: [(constant) (scope_resolution)] @name @region.skip) @def.class
(module name: [(constant) (scope_resolution)] @name @region.skip) @def.trait
; What a concern has for the classes that include it, and what runs there (Active Support, Concern).
((call !receiver method: (identifier) @name block: _) @def.trait (#any-of? @name "class_methods" "included"))
(superclass [(constant) (scope_resolution)] @base)
(method name: (_) @name) @def.function
(singleton_method name: (_) @name) @def.function
(method parameters: (_) @params)
(singleton_method parameters: (_) @params)
[(singleton_class) (singleton_method)] @static

(assignment left: (constant) @name) @def.constant
(left_assignment_list (constant) @name @def.constant)
(operator_assignment left: (constant) @name) @def.constant
(program (assignment left: (global_variable) @bind.define))
[(assignment left: [(instance_variable) (class_variable)] @bind.member)
 (operator_assignment left: [(instance_variable) (class_variable)] @bind.member)
 (left_assignment_list [(instance_variable) (class_variable)] @bind.member)]

; Struct.new(:key, :value) and Data.define(:x, :y) make a class with these properties, Class.new(Base) one with this base.
((assignment left: (constant) @name right: (call receiver: (constant) @made method: (identifier) @how)) @def.class
  (#any-of? @made "Struct" "Data" "Class") (#any-of? @how "new" "define"))
((assignment left: (constant) @name right: (call receiver: (constant) @made method: (identifier) @how)) @def.trait
  (#eq? @made "Module") (#eq? @how "new"))
((assignment left: (constant) right: (call receiver: (constant) @made method: (identifier) @how arguments: (argument_list (simple_symbol) @name @def.property)))
  (#any-of? @made "Struct" "Data") (#any-of? @how "new" "define"))
((assignment left: (constant) right: (call receiver: (constant) @made method: (identifier) @how
    arguments: (argument_list . [(constant) (scope_resolution)] @base @region.inherit)))
  (#eq? @made "Class") (#eq? @how "new"))

; Methods that are made by calls.
((call !receiver method: (identifier) @how arguments: (argument_list [(simple_symbol) @name @def.property (string (string_content) @name @def.property)]))
  (#any-of? @how "attr_accessor" "attr_reader" "attr_writer" "attr"))
((call !receiver method: (identifier) @how arguments: (argument_list . (simple_symbol) @name)) @def.function
  (#any-of? @how "define_method" "define_singleton_method" "alias_method"))
((call !receiver method: (identifier) @how block: (_ parameters: (_) @params)) (#eq? @how "define_method"))
((call !receiver method: (identifier) @how) @static (#eq? @how "define_singleton_method"))
((call !receiver method: (identifier) @how arguments: (argument_list . (simple_symbol) @name . (lambda))) @def.function @static (#eq? @how "scope"))
((call !receiver method: (identifier) @how arguments: (argument_list . (simple_symbol) @name @def.function))
  (#any-of? @how "attribute" "belongs_to" "enum" "has_and_belongs_to_many" "has_many" "has_many_attached" "has_one" "has_one_attached" "has_rich_text"))
; What a class and its objects have: a field, since others begin with a sigil (Active Support Core Extensions, class_attribute, mattr_accessor).
((call !receiver method: (identifier) @how arguments: (argument_list (simple_symbol) @name @def.field))
  (#any-of? @how "cattr_accessor" "cattr_reader" "cattr_writer" "class_attribute" "config_accessor" "mattr_accessor" "mattr_reader" "mattr_writer"
    "thread_cattr_accessor" "thread_mattr_accessor"))
; What is handed on (Ruby documentation, Forwardable; Active Support Core Extensions, delegate). With a prefix the names are others.
((call !receiver method: (identifier) @how arguments: (argument_list (simple_symbol) @name @def.function
    (pair key: (hash_key_symbol) @_to)) @_all)
  (#eq? @how "delegate") (#eq? @_to "to") (#not-match? @_all "prefix:"))
((call !receiver method: (identifier) @how arguments: (argument_list . (_) (simple_symbol) @name @def.function))
  (#any-of? @how "def_delegators" "def_instance_delegators"))
((call !receiver method: (identifier) @how arguments: (argument_list (_) (simple_symbol) @name .)) @def.function
  (#any-of? @how "def_delegator" "def_instance_delegator"))
(alias name: (_) @name) @def.function

; What a module mixes in comes before what a class inherits; what only the type itself gets is marked.
((call !receiver method: (identifier) @how arguments: (argument_list [(constant) (scope_resolution)] @base.first))
  (#any-of? @how "include" "prepend"))
((call !receiver method: (identifier) @how arguments: (argument_list [(constant) (scope_resolution) (self)] @base.own))
  (#eq? @how "extend"))
((body_statement (identifier) @base.own) (#eq? @base.own "module_function"))
((call !receiver method: (identifier) @base.own) (#eq? @base.own "module_function"))

; What a module adds to the types that mix it in, by the method that runs then (Ruby documentation, Module#included, Module#prepended).
((_ name: (identifier) @_hook body: (body_statement (call receiver: (identifier) method: (identifier) @how
   arguments: (argument_list (simple_symbol)? @_word . [(constant) (scope_resolution)] @base.users))))
  (#any-of? @_hook "included" "prepended") (#any-of? @how "send" "extend") (#any-of? @_word ":extend"))
((_ name: (identifier) @_hook body: (body_statement (call receiver: (identifier) method: (identifier) @how
   arguments: (argument_list (simple_symbol)? @_word . [(constant) (scope_resolution)] @base.outer))))
  (#any-of? @_hook "included" "prepended") (#any-of? @how "send" "include" "prepend") (#any-of? @_word ":include" ":prepend"))

; Words that hold for what follows, or for what they name.
((body_statement (identifier) @section.alone)
  (#any-of? @section.alone "private" "protected" "public" "module_function" "private_class_method"))
((program (identifier) @section.alone) (#any-of? @section.alone "private" "public"))
((call !receiver method: (identifier) @section.word) @section.call
  (#any-of? @section.word "private" "protected" "public" "module_function" "private_class_method" "public_class_method" "private_constant" "public_constant"))
((call !receiver method: (identifier) @how arguments: (argument_list [(simple_symbol) @section.name (array (simple_symbol) @section.name)]))
  (#any-of? @how "private" "protected" "public" "module_function" "private_class_method" "public_class_method" "private_constant" "public_constant"))
