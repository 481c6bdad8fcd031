; Import declarations; the rule "go" reads their parts.
(import_declaration) @import
