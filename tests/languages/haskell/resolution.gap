A pun of a field names the field too; the grammar takes the branch after #else for a comment.
=== Shelf.hs
module Shelf where
data Shelf = Shelf { books :: Int }
count Shelf { books } = books                --@ read -> Shelf.books exact
#if SMALL
#else
other = 1                                    --@ def function Shelf.other
#endif
