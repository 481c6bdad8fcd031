What would need types of lambdas and of the object behind `super<…>`, generic results, and names that are hidden only from their declaration on.
=== library/Shelf.kt
package library

class Book { fun read() {}; val title = "x" }
interface Lending { fun lend() {} }
class Shelf : Lending {
    val size = 3
    fun lend(by: Int) {}
    override fun lend() { super<Lending>.lend() }                       //@ call -> library.Lending.lend exact
    fun go(book: Book, some: List<Book>) {
        with(book) { read() }                                           //@ call -> Book.read exact
        book.apply { read() }                                           //@ call -> Book.read exact
        "x".shorten()                                                   //@ call -> library.shorten exact
    }
    val total: Int
        get() = size                                                    //@ read -> Shelf.size exact from Shelf.total
}
fun <T : Book> T.generic() {}
fun String.shorten() {}
fun use(book: Book) { book.generic() }                                  //@ call -> library.generic exact

=== library/numbers.kt
package library

infix fun Int.and(mask: Long): Long = toLong()
fun masked(flags: Int, other: Int) = flags and other                    //@ none and
