What would need the names of arguments, and which overload a member overrides.
=== library/Shelf.kt
package library

class Few { fun few() {} }
class Many { fun many() {} }
class Book
class Tag
class Shelf {
    fun set(at: Int = 0, tag: Tag? = null): Few = Few()
    fun set(by: String = "", book: Book? = null): Many = Many()
}
fun go(shelf: Shelf, tag: Tag, tags: List<Tag>) {
    shelf.set(book = null).many()                                       //@ call -> Many.many exact
}
