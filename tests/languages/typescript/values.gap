What only a type checker follows, or what is written too rarely so far: conditional types, call signatures, types inside types, ambient declarations.
=== global.d.ts
interface CanvasRenderingContext2D { rounded(): void }
declare global { interface Window { shelf: Shelf } }
=== lib.ts
export class Book { read() {} save() {} }
export class Shelf { lend(): Book { return null!; } books: Book[]; }
export type Held<T> = T extends Shelf ? Shelf : Book;
export interface Maker { (name: string): Shelf; again: Maker }
export interface Options { hooks: { opened(book: Book): void } }
export const make: Maker = null!;
export function held<T>(value: T): T extends Book ? Shelf : Book { return null!; }
=== main.ts
import { Book, Held, Options, Shelf, held, make } from "./lib";

function main(canvas: CanvasRenderingContext2D, shelf: Shelf, other: Shelf | undefined, options: Options, map: Map<string, Book>) {
  canvas.rounded();                           //@ call -> CanvasRenderingContext2D.rounded
  const where: Window = null!;                //@ type -> Window
  held(3).lend();                             //@ call -> Shelf.lend
  make("top").lend();                         //@ call -> Shelf.lend
  options.hooks.opened(null!);                //@ call -> Options.hooks.opened
  map.get("a")!.read();                       //@ call -> Book.read
  const either = other ?? shelf;
  either.lend();                              //@ call -> Shelf.lend
  shelf.books.reduce((sum, book) => book.read(), 0);  //@ call -> Book.read
  const [first] = shelf.books;
  first.read();                               //@ call -> Book.read
}
