What a parameter of a type stands for, and types of values that are chosen, are not known yet.
=== shelf.zig
const Book = struct {
    pages: u8,
    fn read(self: Book) void {
        _ = self;
    }
};
fn List(comptime T: type) type {
    return struct {
        first: ?*T,
        fn top(self: @This()) ?T {
            return self.first.?.*;
        }
    };
}
fn all(books: List(Book), maybe: ?Book) void {
    books.top().?.read(); //@ call -> Book.read
    books.first.?.read(); //@ call -> Book.read
    (maybe orelse return).read(); //@ call -> Book.read
    const kind: Kind = switch (books.count) {
        0 => .poem, //@ read -> Kind.poem exact
        else => .novel,
    };
    _ = kind;
    _ = @import("other.zig").open(); //@ call -> open
}
const Kind = enum { novel, poem };
=== other.zig
pub fn open() void {}
