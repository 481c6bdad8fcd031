; Options by their names.
(symbol) @ref @ref.use
((symbol) @skip (#any-of? @skip "y" "n" "m"))
