What the grammar cannot read: functions called `each`, conflict markers inside of a type, typed throws together with attributes of parameters.
=== each.swift
class Shelf {
    func each(_ block: (Int) -> Void) {}
    func go() { each { _ in } }                                         //@ call -> Shelf.each exact
}

=== Merge.swift
class Merge {                                                           //@ def class Merge
<<<<<<< ours
    func ours() {}                                                      //@ def method Merge.ours
=======
    func theirs() {}                                                    //@ def method Merge.theirs
>>>>>>> theirs
}
