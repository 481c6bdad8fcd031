; Derived from the grammar by `make generic-languages`.
(section_name (text) @name) @def.key
(setting (setting_name) @name) @def.key
(comment) @comment
