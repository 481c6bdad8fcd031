; Headings open sections; those inside of lists and quotes belong to what they stand in.
(atx_heading (atx_h1_marker) heading_content: (_) @title) @section.1
(atx_heading (atx_h2_marker) heading_content: (_) @title) @section.2
(atx_heading (atx_h3_marker) heading_content: (_) @title) @section.3
(atx_heading (atx_h4_marker) heading_content: (_) @title) @section.4
(atx_heading (atx_h5_marker) heading_content: (_) @title) @section.5
(atx_heading (atx_h6_marker) heading_content: (_) @title) @section.6
(setext_heading heading_content: (_) @title (setext_h1_underline)) @section.1
(setext_heading heading_content: (_) @title (setext_h2_underline)) @section.2
[(block_quote) (list)] @quoted
