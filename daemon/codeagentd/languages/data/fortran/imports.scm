; Modules that are used; the rule "fortran" reads the names.
(use_statement) @import
