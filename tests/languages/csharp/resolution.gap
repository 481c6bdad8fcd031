=== Usings.cs
global using Core;

=== Core.cs
namespace Core
{
    public class MarkedAttribute { }
    public class Shade { public static Shade Dark() => null; public void Draw() { } }
    public class Base { public Base(int size) { } public void Go(int a) { } public void Go(int a, int b) { } }
    public static class Extensions { public static void Twice(this Shade shade) { } }
}

=== Text.cs
namespace Core.Text { public class Reader { public static void Open() { } } }

=== Main.cs
namespace App;

[Marked]                                                                //@ decorate -> Core.MarkedAttribute
class Program : Base
{
    public Shade Shade { get; set; }
    public Program() : base(3) { }
    public Program(int a) : this() { }
    void Run(Shade given)
    {
        Shade.Dark();                                                   //@ call -> Core.Shade.Dark
        Shade.Draw();                                                   //@ call -> Core.Shade.Draw
        given.Draw();                                                   //@ call -> Core.Shade.Draw exact
        var made = new Shade();
        made.Draw();                                                    //@ call -> Core.Shade.Draw exact
        given.Twice();                                                  //@ call -> Core.Extensions.Twice
        Core.Text.Reader.Open();                                        //@ call -> Core.Text.Reader.Open
        Go(1);                                                          //@ call -> Core.Base.Go exact
    }
}
