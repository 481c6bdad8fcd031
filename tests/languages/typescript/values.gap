What only a type checker follows, or what is written too rarely so far: types inside types, ambient declarations.
=== global.d.ts
declare global { interface Window { shelf: Shelf } }
=== lib.ts
export class Book { read() {} save() {} }
export class Shelf { lend(): Book { return null!; } books: Book[]; }
export interface Options { hooks: { opened(book: Book): void } }
=== main.ts
import { Book, Options, Shelf } from "./lib";

function main(shelf: Shelf, options: Options) {
  const where: Window = null!;                //@ type -> Window
  options.hooks.opened(null!);                //@ call -> Options.hooks.opened
  shelf.books.reduce((sum, book) => book.read(), 0);  //@ call -> Book.read
}
