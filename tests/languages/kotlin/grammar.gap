What the grammar cannot read: a call at the beginning of a line whose name is also a modifier, a comma behind the last parameter of a function type,
binary literals that are asked something or begin with a zero, a comment before a statement on its line, open ranges, a cast that stands on a line of its own.
=== library/modifiers.kt
package library

class Door {
    fun open() {}
    fun go() {
        open()                                                          //@ call -> Door.open exact
    }
}

=== library/commas.kt
//@ status full
package library

fun one(block: (Int,) -> Unit) = block(1)

=== library/numbers.kt
//@ status full
package library

fun two() = 0b11.toLong()

=== library/comments.kt
//@ status full
package library

fun three() {
    val one = 1
    /* then */ two()
}

=== library/ranges.kt
//@ status full
package library

fun four() { for (at in 0..<3) println(at) }

=== library/zero.kt
//@ status full
package library

const val ZERO = 0b0001

=== library/casts.kt
//@ status full
package library

fun <T> six(any: Any): T =
    any
        as T
