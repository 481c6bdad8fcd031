; Import declarations; the rule "java" reads their parts.
(import_declaration) @import
