; Files that are read here.
(source (string) @import)
