; Imports; the rule "scala" reads their parts.
(import_declaration) @import
