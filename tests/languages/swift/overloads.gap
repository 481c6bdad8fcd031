What only the types of results tell apart; what is matched in a tuple.
=== Sources/Library/Bytes.swift
struct Bytes {}
enum Kind { case tall, wide }
enum Size { case tall, small }
class Encoder {
    func encode(_ n: Int) -> Bytes { Bytes() }
}

=== Sources/Library/Text.swift
struct Text {}
extension Encoder {
    func encode(_ n: Int) -> Text { Text() }
}
func go(encoder: Encoder, kind: Kind, size: Size) {
    let said: Text = encoder.encode(1)                                  //@ call -> Sources/Library/Text.swift:Encoder.encode
    switch (kind, size) { case (.tall, .small): _ = said; default: break }   //@ read -> Kind.tall exact ; read -> Size.small exact
}
