; Included files, and the names that using declarations and aliases bring in; the rule "include" reads them. Those in a class are members.
(preproc_include path: [(string_literal) (system_lib_string)]) @import
(translation_unit (using_declaration) @import)
(declaration_list (using_declaration) @import)
(compound_statement (using_declaration) @import)
(preproc_if (using_declaration) @import)
(preproc_ifdef (using_declaration) @import)
(preproc_else (using_declaration) @import)
(namespace_alias_definition) @import
