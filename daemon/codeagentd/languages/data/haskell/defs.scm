; Definitions. The capture spans the definition, @name the identifier alone. A signature and the equations after it are
; one definition (symbols.equations).
(declarations (data_type name: [(name) @name (prefix_id (_) @name)]) @def.enum)
(declarations (data_type (infix operator: [(operator) @name (constructor_operator) @name (infix_id (_) @name)])) @def.enum)
(declarations (newtype name: [(name) @name (prefix_id (_) @name)]) @def.enum)
(declarations (type_synomym name: [(name) @name (prefix_id (_) @name)]) @def.type)
(declarations (type_synomym (infix operator: [(operator) @name (constructor_operator) @name (infix_id (_) @name)])) @def.type)
(type_family name: [(name) @name (prefix_id (_) @name)]) @def.type
(type_family (infix operator: [(operator) @name (constructor_operator) @name (infix_id (_) @name)])) @def.type
(data_family name: [(name) @name (prefix_id (_) @name)]) @def.type
(class name: [(name) @name (prefix_id (_) @name)]) @def.trait
(class (infix operator: [(operator) @name (constructor_operator) @name])) @def.trait
; An instance has the name of the class and of the types.
(instance name: (name) @name.first @name.around patterns: (_) @name) @def.class
(instance name: (qualified (module . (module_id) @name.first @name.around)) patterns: (_) @name) @def.class
(instance name: (name) @base)
(instance name: (qualified id: (name) @base))
(class context: (context context: [(apply constructor: (name) @base @ref.inherit)
  (parens (apply constructor: (name) @base @ref.inherit)) (tuple (apply constructor: (name) @base @ref.inherit))]))

; Constructors and fields are names of the module (symbols.open_types).
(data_constructor constructor: [(record name: (constructor) @name @def.enum_member) (prefix name: (constructor) @name @def.enum_member)
  (prefix name: (prefix_id (_) @name @def.enum_member))
  (infix operator: (constructor_operator) @name @def.enum_member) (infix operator: (infix_id (_) @name @def.enum_member))])
(newtype_constructor name: [(constructor) @name @def.enum_member (prefix_id (_) @name @def.enum_member)])
(gadt_constructor name: [(constructor) @name @def.enum_member (prefix_id (_) @name @def.enum_member)])
(gadt_constructor names: (binding_list name: [(constructor) @name @def.enum_member (prefix_id (_) @name @def.enum_member)]))
(field name: (field_name [(variable) @name @def.field (prefix_id (_) @name @def.field)]) type: (_) @type) @group

; Functions: equations, values, and their signatures.
(declarations (function name: [(variable) @name @skip (prefix_id (_) @name @skip)]) @def.function)
(declarations (function (infix operator: [(operator) @name @skip (infix_id (_) @name @skip)])) @def.function)
(declarations (function (function_head_parens (infix operator: [(operator) @name @skip (infix_id (_) @name @skip)]))) @def.function)
(declarations (bind name: [(variable) @name @skip (prefix_id (_) @name @skip)]) @def.function)
(declarations (bind pattern: [(variable) @name @def.variable (_ element: (variable) @name @def.variable) (_ argument: (variable) @name @def.variable)]))
(declarations (signature name: [(variable) @name @signature (prefix_id (_) @name @signature)] type: (_) @returns) @def.function)
(foreign_import signature: (signature name: [(variable) @name (prefix_id (_) @name)] type: (_) @returns)) @def.function
(pattern_synonym (equation synonym: [(constructor) @name (apply function: (constructor) @name) (infix operator: (constructor_operator) @name)
  (record constructor: (constructor) @name) (apply function: (apply function: (constructor) @name))
  (apply function: (apply function: (apply function: (constructor) @name)))
  (apply function: (apply function: (apply function: (apply function: (constructor) @name))))
  (apply function: (apply function: (apply function: (apply function: (apply function: (constructor) @name)))))])) @def.function
(pattern_synonym (signature synonym: (constructor) @name @signature type: (_) @returns)) @def.function

(class_declarations (function name: [(variable) @name @skip (prefix_id (_) @name @skip)]) @def.function)
(class_declarations (function (infix operator: [(operator) @name @skip (infix_id (_) @name @skip)])) @def.function)
(class_declarations (bind name: [(variable) @name @skip (prefix_id (_) @name @skip)]) @def.function)
(class_declarations (signature name: [(variable) @name @signature (prefix_id (_) @name @signature)] type: (_) @returns) @def.function)
(class_declarations (signature names: (binding_list name: [(variable) @name @def.function @signature (prefix_id (_) @name @def.function @signature)])))

(instance_declarations (function name: [(variable) @name @skip (prefix_id (_) @name @skip)]) @def.function)
(instance_declarations (function (infix operator: [(operator) @name @skip (infix_id (_) @name @skip)])) @def.function)
(instance_declarations (bind name: [(variable) @name @skip (prefix_id (_) @name @skip)]) @def.function)

; Comments above definitions; those that begin with ^ are about what is before them.
([(comment) (haddock)] @comment (#not-match? @comment "^(--+|\\{-)\\s*\\^"))

; Without a list a module exports all of its own definitions.
(haskell (header !exports) (declarations) @exported)
(exports) @export.items
