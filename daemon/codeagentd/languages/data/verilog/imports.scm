; Included files, and packages; the rule "verilog" reads the names.
(include_compiler_directive (double_quoted_string) @import)
(package_import_declaration (package_import_item) @import)
