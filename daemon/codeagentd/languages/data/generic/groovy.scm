; Derived from the grammar by `make grammars`.
(command (block (unit (identifier) @name))) @def.class
(command (block (unit (func (identifier) @name)))) @def.method
(identifier) @ref
(line_comment) @comment
(block_comment) @comment
