Tests of properties, elements by index, arrays that @param describes, either of two values, types of local variables in comments, calls in the path of an include.
=== main.php
<?php
namespace App;
interface Handler { public function handle(): bool; }
interface Closes { public function close(): void; }
class Book { public function open(): self { return $this; } }
class Shelf
{
    /** @var Handler[] */
    private array $handlers = [];
    private Handler $inner;
    /** @param Book[] $given */
    public function take(array $given, ?Book $maybe): void
    {
        if ($this->inner instanceof Closes) {
            $this->inner->close();             //@ call -> Closes.close
        }
        $this->handlers[0]->handle();          //@ call -> Handler.handle exact
        foreach ($given as $one) { $one->open(); }   //@ call -> Book.open exact
        $book = $maybe ?? new Book();
        $book->open();                         //@ call -> Book.open exact
        /** @var Shelf $local */
        $local = unserialize('x');
        $local->walk();                        //@ call -> Shelf.walk exact
        include template('x.php');             //@ call -> App.template exact
    }
    public function walk(): void {}
}
function template($name) { return $name; }
