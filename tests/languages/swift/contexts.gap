What would need types of closures and generic results.
=== Sources/Library/Shelf.swift
class Book { func read() {}; var title = "" }
enum Kind { case tall, wide }
class Shelf {
    var book: Book?
    func set(_ kind: Kind) {}
    func go(some: [Book], kind: Kind) {
        some.first?.read()                                              //@ call -> Book.read exact
        if let book { book.read() }                                     //@ read -> Shelf.book exact
    }
}
