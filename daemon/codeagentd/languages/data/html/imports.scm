; Links to other files.
((attribute (attribute_name) @_to [(attribute_value) @import (quoted_attribute_value (attribute_value) @import)])
  (#any-of? @_to "href" "src" "action" "data" "poster"))
