What functions get that are handed to a call, where more than one signature without type parameters would have to be read.
=== main.ts
class Book { read() {} }
class Key { run() {} }
function hidden<Key>(visit: (key: Key) => void) {}
function generic<T>(value: T, visit: (value: T) => void) {}
function overloaded(visit: (book: Book) => void): void;
function overloaded(visit: any) {}

function main() {
  hidden(key => key.run());                   //@ none run
  generic(new Book(), book => book.read());   //@ call -> Book.read
  overloaded(book => book.read());            //@ call -> Book.read
}
