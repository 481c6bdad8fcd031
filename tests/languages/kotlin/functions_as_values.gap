Calls of what `!!` or another call gives.
=== shop/Main.kt
package shop

class Book { fun open() {} }
fun later(): ((Int) -> (String) -> Book)? = null
fun use(maybe: ((Int) -> Book)?) {
    maybe!!(3).open()                                                   //@ call -> Book.open exact
    later()!!(3)("x").open()                                            //@ call -> Book.open exact
}
