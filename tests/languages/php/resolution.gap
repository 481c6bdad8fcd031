Tests of properties, arrays that @param describes, types of local variables in comments, calls in the path of an include.
=== main.php
<?php
namespace App;
interface Opens {}
interface Closes { public function close(): void; }
class Book { public function open(): self { return $this; } }
class Shelf
{
    private Opens $inner;
    /** @param Book[] $given */
    public function take(array $given): void
    {
        if ($this->inner instanceof Closes) {
            $this->inner->close();             //@ call -> Closes.close
        }
        foreach ($given as $one) { $one->open(); }   //@ call -> Book.open exact
        /** @var Shelf $local */
        $local = unserialize('x');
        $local->walk();                        //@ call -> Shelf.walk exact
        include template('x.php');             //@ call -> App.template exact
    }
    public function walk(): void {}
}
function template($name) { return $name; }
