Lambdas with receivers behind safe calls; a cast at the beginning of a line.
=== shop/Main.kt
package shop
class Keeper { fun note() {} }
fun use(keeper: Keeper?, any: Any) {
    keeper?.run { note() }                          //@ call -> Keeper.note
    (any as Keeper).note()                          //@ call -> Keeper.note exact
}
