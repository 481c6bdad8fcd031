What only types tell apart, of arguments or of results; what is matched in a tuple.
=== Sources/Library/Bytes.swift
struct Bytes {}
enum Kind { case tall, wide }
enum Size { case tall, small }
class Encoder {
    func read(_ one: Bytes) {}
    func encode(_ n: Int) -> Bytes { Bytes() }
}

=== Sources/Library/Text.swift
struct Text {}
extension Encoder {
    func read(_ one: Text) {}
    func encode(_ n: Int) -> Text { Text() }
}
func go(encoder: Encoder, text: Text, kind: Kind, size: Size) {
    encoder.read(text)                                                  //@ call -> Sources/Library/Text.swift:Encoder.read
    let said: Text = encoder.encode(1)                                  //@ call -> Sources/Library/Text.swift:Encoder.encode
    switch (kind, size) { case (.tall, .small): _ = said; default: break }   //@ read -> Kind.tall exact ; read -> Size.small exact
}
