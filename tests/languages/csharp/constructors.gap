=== Book.cs
namespace Lib { public class Book { public Book() { } public Book(int n) { } } }
=== Novel.cs
namespace Lib
{
    public class Novel : Book                                           //@ inherit -> Lib.Book exact
    {
        Book next;                                                      //@ type -> Lib.Book exact
        Book Make(Book other) => new Book(3);                           //@ returns -> Lib.Book exact ; accepts -> Lib.Book exact
    }
}
