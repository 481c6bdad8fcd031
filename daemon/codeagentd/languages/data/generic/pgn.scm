; Derived from the grammar by `make grammars`.
(tagpair tagpair_key: (tagpair_key) @name) @def.key
(rest_of_line_comment_text) @comment
(old_style_twic_section_comment) @comment
(freestanding_comment) @comment
(rest_of_line_comment_delimiter_open) @comment
(rest_of_line_comment) @comment
(inline_comment_delimiter_open) @comment
(inline_comment_delimiter_close) @comment
(inline_comment) @comment
(inline_comment_text) @comment
