A member that an argument would have to be converted for hides an extension that takes it as it is: which types convert is not looked up.
=== Shelf.cs
class Few { public void DoFew() { } }
class Book { }
class Shelf { public Book Put(Book book) => book; }
static class Extensions
{
    public static Few Put(this Shelf shelf, Few few) => few;
    static void Go(Shelf shelf, Few few)
    {
        shelf.Put(few).DoFew();                                         //@ call -> Extensions.Put exact ; call -> Few.DoFew exact
    }
}
