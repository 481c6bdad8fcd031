; Elements: the rule "html" keeps those with an id, landmarks, and elements with a hyphen in their name.
(element [(start_tag (tag_name) @modifier) (self_closing_tag (tag_name) @modifier)]) @def.element
((attribute (attribute_name) @_id [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]) (#eq? @_id "id"))

; Headings open sections.
((element (start_tag (tag_name) @_h)) @section.1 @title (#eq? @_h "h1"))
((element (start_tag (tag_name) @_h)) @section.2 @title (#eq? @_h "h2"))
((element (start_tag (tag_name) @_h)) @section.3 @title (#eq? @_h "h3"))
((element (start_tag (tag_name) @_h)) @section.4 @title (#eq? @_h "h4"))
((element (start_tag (tag_name) @_h)) @section.5 @title (#eq? @_h "h5"))
((element (start_tag (tag_name) @_h)) @section.6 @title (#eq? @_h "h6"))
