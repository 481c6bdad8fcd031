A local is visible behind its declaration only (manual, 3.5): names are bound for the whole block.
=== a.lua
function shared() end
=== b.lua
shared()                                       --@ call -> a.lua:shared inferred
local function shared() end
