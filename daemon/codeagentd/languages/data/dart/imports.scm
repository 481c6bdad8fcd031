; Imports, exports and parts; the rule "dart" reads them.
[(import_or_export) (part_directive) (part_of_directive)] @import
