In initial values and initialiser blocks a parameter of the class hides the property of its name (Kotlin language specification, "Class declaration").
=== library/Box.kt
package library

class Lid { fun shut() {} }
class Box(lid: Lid?) {
    private val lid: Lid = lid ?: Lid()                                 //@ none lid
    init {
        if (lid == null) println()                                      //@ none lid
    }
}
