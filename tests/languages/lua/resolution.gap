The self of methods added to a class of another file, modules made by `module`.
=== shelf.lua
local Shelf = {}
Shelf.__index = Shelf
function Shelf:lend() end
return Shelf
=== main.lua
local Shelf = require("shelf")
function Shelf:extra() self:lend() end         --@ call -> shelf.lua:Shelf.lend exact
=== old.lua
module("old", package.seeall)
function go() end
=== uses.lua
local old = require("old")
old.go()                                       --@ call -> old.lua:go
