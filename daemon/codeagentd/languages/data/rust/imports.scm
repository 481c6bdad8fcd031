; Use declarations, and the modules that lie in files of their own; the rule "rust" reads their parts.
(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import
