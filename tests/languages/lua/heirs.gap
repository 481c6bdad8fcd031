Heirs have their bases, but what makes them is no edge yet, so that nobody finds the heirs of a class; globals that another file requires a module into.
=== main.lua
local Base = {}
Base.__index = Base
function Base:lend() end
local Shelf = setmetatable({}, { __index = Base })    --@ inherit -> Base from Shelf
function Shelf:open() end
local Box = Base:extend()                      --@ inherit -> Base from Box
=== runner.lua
Lib = require("lib")
=== lib.lua
local M = {}
function M.go() end
return { tools = M }
=== test.lua
Lib.tools.go()                                 --@ call -> lib.lua:M.go
