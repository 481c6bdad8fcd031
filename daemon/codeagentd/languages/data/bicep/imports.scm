; Files of modules, and files that names are imported from.
(module_declaration (string) @import)
(import_functionality (string) @import)
