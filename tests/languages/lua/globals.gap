A global that another file requires a module into.
=== runner.lua
Lib = require("lib")
=== lib.lua
local M = {}
function M.go() end
return { tools = M }
=== test.lua
Lib.tools.go()                                 --@ call -> lib.lua:M.go
