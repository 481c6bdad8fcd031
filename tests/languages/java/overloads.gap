Overloads with as many parameters each are told apart by the types of the arguments, which nobody computes.
=== library/Shelf.java
package library;

class Shelf {
    void lend(int days) { }
    void lend(String name) { }
    void use(Shelf other) {
        lend("x");                                                      //@ call -> Shelf.lend exact
        other.lend(1);                                                  //@ call -> Shelf.lend exact
    }
}
