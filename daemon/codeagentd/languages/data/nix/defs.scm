; Bindings of a `let`, and attributes of sets. The name of an attribute is its whole path.
(binding attrpath: (attrpath) @name expression: (function_expression [(formals) @params (identifier) @params])) @def.function
(let_expression (binding_set (binding attrpath: (attrpath . (identifier) @name .)) @def.variable))
(attrset_expression (binding_set (binding attrpath: (attrpath) @name) @def.key))
(rec_attrset_expression (binding_set (binding attrpath: (attrpath) @name) @def.variable))
(comment) @comment
