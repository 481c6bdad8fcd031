; Included files; the rule "include" reads the path.
(preproc_include path: [(string_literal) (system_lib_string)]) @import
