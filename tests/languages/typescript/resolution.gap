What needs the type of a value, or a value that stands for a module.
=== lib.ts
export class Shelf { lend() { return this; } next = this; }
export function make(): Shelf { return new Shelf(); }
export const shared = new Shelf();
=== main.ts
import { Shelf, make, shared } from "./lib";
import * as lib from "./lib";
const shelf = new Shelf();
shelf.lend();
shared.lend();
make().lend();
function local(shelf: Shelf, { inner }: { inner: Shelf }) {
  shelf.lend();
  inner.lend();
  const other = make();
  other.lend().lend();
}
namespace app { export class Deep { static go() {} } }
import Deep = app.Deep;
Deep.go();                                    //@ call -> Deep.go
import("./lib").then(m => m.make());          //@ call -> lib.make
const alias = Shelf;
new alias().lend();
let count = 0;
function count_up() {
  [count] = [1];                              //@ write -> count
}
