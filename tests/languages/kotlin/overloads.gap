What would need the types of arguments that are no literals, the names of arguments, and which overload a member overrides.
=== library/Shelf.kt
package library

class Few { fun few() {} }
class Many { fun many() {} }
class Book
class Tag
class Shelf {
    fun put(book: Book): Few = Few()
    fun put(tag: Tag): Many = Many()
    fun add(vararg tags: Tag): Few = Few()
    fun add(all: List<Tag>): Many = Many()
    fun set(at: Int = 0, tag: Tag? = null): Few = Few()
    fun set(by: String = "", book: Book? = null): Many = Many()
}
fun go(shelf: Shelf, tag: Tag, tags: List<Tag>) {
    shelf.put(tag).many()                                               //@ call -> Many.many exact
    shelf.put(Tag()).many()                                             //@ call -> Many.many exact
    shelf.add(tags).many()                                              //@ call -> Many.many exact
    shelf.set(book = null).many()                                       //@ call -> Many.many exact
}
