A module that is a function, and values whose type has to be followed.
=== lib.js
module.exports = function make() { return {}; };
=== klass.js
class Shelf { lend() {} }
module.exports = Shelf;
=== main.js
const make = require("./lib");
const Shelf = require("./klass");
make();                                               //@ call -> lib.make
new Shelf().lend();                                   //@ call -> klass.Shelf ; call -> Shelf.lend
