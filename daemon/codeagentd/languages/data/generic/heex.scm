; Derived from the grammar by `make grammars`.
(tag_name) @ref
(attribute_name) @ref
(special_attribute_name) @ref
(component_name) @ref
(slot_name) @ref
(comment) @comment
