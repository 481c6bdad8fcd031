Elements by index and what operators of one's own give; lambdas with receivers behind safe calls; a cast at the beginning of a line.
=== shop/Main.kt
package shop
class Book { fun open() {}; operator fun get(page: Int): Page = Page() }
class Page { fun turn() {} }
class Keeper { fun note() {} }
fun use(book: Book, books: List<Book>, keeper: Keeper?, any: Any) {
    book[1].turn()                                  //@ call -> Page.turn exact
    books[0].open()                                 //@ call -> Book.open exact
    keeper?.run { note() }                          //@ call -> Keeper.note
    (any as Keeper).note()                          //@ call -> Keeper.note exact
}
