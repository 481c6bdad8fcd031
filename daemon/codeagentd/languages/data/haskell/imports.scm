; Imports; the rule "haskell" reads their parts.
(import) @import
