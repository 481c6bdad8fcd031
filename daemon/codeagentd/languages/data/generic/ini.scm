; Derived from the grammar by `make grammars`.
(section_name (text) @name) @def.key
(setting (setting_name) @name) @def.key
(comment) @comment
