What would need self types, members of local values, or what a package from outside holds; and what the grammar misreads.
=== library/Shelf.scala
package library

import java.io._

class Book { def read(): Unit = () }
class Reader
class Shelf { def lend(): Book = new Book }
trait Lending { def limit: Int = 3 }
trait Desk { self: Lending =>
  def most: Int = limit                                                 //@ call -> Lending.limit exact
}
object Shelf {
  def go(): Unit = {
    val shelf = new Shelf
    import shelf._
    lend()                                                              //@ call -> Shelf.lend exact
    List(shelf).head.lend()                                             //@ call -> Shelf.lend exact
  }
}
class Other { val made = new Book() with Lending { def go = 1 } }       //@ implement -> library.Lending exact

=== library/Use.scala
package library

import java.io._

class Use(reader: Reader, shelf: Shelf)                                 //@ accepts -> library.Reader inferred
