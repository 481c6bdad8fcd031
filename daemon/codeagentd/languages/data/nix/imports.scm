; Files that are imported, or named as modules.
(path_expression . (path_fragment) @import .)
