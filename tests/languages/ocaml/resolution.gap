What a local open brings in hides the names of the file; a module is visible only after its definition.
=== main.ml
module Inner = struct let make x = x end
let make x = x
let opened = Inner.(make 1)                  (*@ call -> Inner.make exact *)
let other = Types.low                        (*@ read -> lib/types.ml:Types.low exact *)
module Types = struct let low = 2 end
=== lib/types.ml
let low = 1
