Elements by index, parameters of lambdas, out variables of generic calls, awaitables that are configured, arrays without a type.
=== Shop.cs
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
namespace Shop;
public class Book { public string Title { get; set; } public void Open() {} public Page this[int page] => new Page(); }
public class Page { public void Turn() {} }
public class Keeper { public void Note() {} }
public static class Extensions { public static Shelf Sorted(this Shelf shelf) => shelf; }
public class Shelf {
    private readonly List<Book> _books = new();
    private readonly Dictionary<string, Book> _byName = new Dictionary<string, Book>();
    private readonly Lazy<Keeper> _keeper = new(() => new Keeper());
    public Book Top => _books.First();
    public async Task<Book> FindAsync(string name) { await Task.Yield(); return null; }
    public void Walk() {
        _books[0].Open();                            //@ call -> Book.Open exact
        _books.ForEach(b => b.Open());               //@ call -> Book.Open
        _books.Where(b => b.Title != "").First().Open();  //@ read -> Book.Title ; call -> Book.Open
        _byName["x"].Open();                         //@ call -> Book.Open exact
        if (_byName.TryGetValue("x", out var found)) found.Open();  //@ call -> Book.Open
        Top[1].Turn();                               //@ call -> Page.Turn exact
        _keeper.Value.Note();                        //@ call -> Keeper.Note
    }
    static async Task Main(Shelf shelf) {
        shelf.Sorted().Walk();
        var book = await shelf.FindAsync("a").ConfigureAwait(false);
        book.Open();                                 //@ call -> Book.Open exact
        var copy = new[] { new Book(), new Book() };
        foreach (var c in copy) c.Open();            //@ call -> Book.Open exact
    }
}
