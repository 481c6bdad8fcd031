Receivers whose type has to be inferred: declared parameters and fields, what a call returns, a value made on the spot.
=== main.php
<?php
class Shelf { public Book $top; function lend(): Book { return $this->top; } }
class Book { function open() {} }
class Desk
{
    public function __construct(private Shelf $shelf) {}
    function work(Shelf $given)
    {
        $given->lend();                        //@ call -> Shelf.lend exact
        $this->shelf->lend();                  //@ call -> Shelf.lend exact
        $given->lend()->open();                //@ call -> Book.open exact
        $given->top->open();                   //@ call -> Book.open exact
        (new Shelf())->lend();                 //@ call -> Shelf.lend exact
        $made = new Shelf();
        $made->lend();                         //@ call -> Shelf.lend exact
    }
}
