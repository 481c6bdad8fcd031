Of several members in a cascade, all belong to the object before it; parts share private names.
=== lib/shop.dart
part 'part.dart';
class Book {
  void read() {}
  void close() {}
}
void all(Book book) {
  book..read()..close(); //@ call -> Book.close
  (book as Book).read(); //@ call -> Book.read
  _helper(); //@ call -> _helper
}
=== lib/part.dart
part of 'shop.dart';
void _helper() {}
