; Derived from the grammar by `make grammars`.
(class_stmt_class (class_name (class_name_body) @name)) @def.class
(class_stmt_relation . (class_name) @name) @def.class
(class_stmt_method . (class_name) @name) @def.class
(er_stmt_entity . (er_entity_name) @name) @def.class
(er_stmt_entity_relation . (er_entity_name) @name) @def.class
(er_stmt_entity_block . (er_entity_name) @name) @def.class
(comment) @comment
(er_attribute_comment) @comment
