; Imports; the rule "kotlin" reads their parts.
(import_header) @import
