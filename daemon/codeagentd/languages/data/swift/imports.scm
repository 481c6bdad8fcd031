; Imports; the rule "swift" reads their parts.
(import_declaration) @import
