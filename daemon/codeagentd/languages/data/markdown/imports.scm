; Texts that may hold links; the rule "markdown" finds them.
[(inline) (pipe_table_cell) (html_block)] @import
(link_reference_definition (link_destination) @import)
