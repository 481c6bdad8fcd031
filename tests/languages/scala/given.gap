What would need implicit search, exports as members, qualified this, or generic results.
=== library/Shelf.scala
package library

class Book { def read(): Unit = () }
class Shelf {
  val size = 3
  def pick: Option[Book] = None
  class Inner { def go = Shelf.this.size }                              //@ read -> Shelf.size exact
  def all(): Unit = {
    pick.foreach(_.read())                                              //@ call -> Book.read exact
    pick match { case Some(b) => b.read() }                             //@ call -> Book.read exact
    for (b <- pick) b.read2()                                           //@ call -> Rich.read2 exact
    "x".shorten                                                         //@ call -> Words.shorten exact
  }
}
object Rich { implicit class Rich(val book: Book) { def read2(): Unit = () } }
object Words { implicit class Words(val text: String) { def shorten = text } }
class Desk { private val shelf = new Shelf; export shelf.{size => width, pick}; def go = width }   //@ read -> Shelf.size exact
class Use { def go(desk: Desk) = desk.pick }                            //@ call -> Shelf.pick exact
