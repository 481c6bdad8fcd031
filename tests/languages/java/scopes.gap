What a type declares is not visible in front of its body; the labels of a switch over an enumeration; annotations inside of written types.
=== library/Spec.java
package library;

@Target(1)                                                              //@ decorate -> library.Target exact
@interface Spec { enum Target { ONE } }
@interface Target { int value(); }
=== library/Cases.java
package library;

class Cases {
    static final String ONE = "1";
    enum Count { ONE, TWO }
    int of(Count count) {
        switch (count) {
            case ONE: return 1;                                         //@ read -> Count.ONE
            case TWO: return 2;                                         //@ read -> Count.TWO
        }
        return switch (count) { case ONE -> 3; default -> 4; };         //@ read -> Count.ONE
    }
    int of(String text) {
        switch (text) {
            case ONE: return 1;                 
        }
        return 0;
    }
}
=== library/Marked.java
package library;

class Outer { static class Inner { void go() { } } static class Other { void go() { } } }
@interface Mark { }
class Use {
    void run(Outer.@Mark Inner marked) {
        marked.go();                                                    //@ call -> Inner.go exact
    }
}
