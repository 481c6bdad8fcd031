What a trait's method is called in the class that uses it, and `parent` of a class with traits: the linear order knows no aliases, and its second place may be a trait.
=== main.php
<?php
trait Counts { public function count() {} public function show() {} }
class Base { public function count() {} }
class Shelf extends Base
{
    use Counts { show as protected display; }
    public function run()
    {
        $this->display();                      //@ call -> Counts.show exact
        parent::count();                       //@ call -> Base.count exact
    }
}
