What the grammar cannot read: characters written as Unicode escapes outside of literals (Java Language Specification 3.3).
=== library/Escaped.java
//@ status full
package library;

class Escaped {
    int \u0061bc;                                                       //@ def field Escaped.abc
}
