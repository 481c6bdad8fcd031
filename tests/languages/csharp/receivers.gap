Out variables of generic calls, values of library properties, awaitables that are configured, arrays without a type, type arguments of methods and bases.
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
        if (_byName.TryGetValue("x", out var found)) found.Open();  //@ call -> Book.Open
        _keeper.Value.Note();                        //@ call -> Keeper.Note
    }
    static T Load<T>(string name) => default;
    static async Task Main(Shelf shelf) {
        var loaded = Load<Book>("x");
        loaded.Open();                               //@ call -> Book.Open exact
        var book = await shelf.FindAsync("a").ConfigureAwait(false);
        book.Open();                                 //@ call -> Book.Open exact
        var copy = new[] { new Book(), new Book() };
        foreach (var c in copy) c.Open();            //@ call -> Book.Open exact
    }
}
public class Rules<T> { public void For(Func<T, object> rule) { } }
public class BookRules : Rules<Book> { void Go() { For(b => b.Title); } }   //@ read -> Book.Title
