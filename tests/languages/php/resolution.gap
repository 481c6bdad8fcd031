A value made on the spot: what stands in parentheses is no receiver of its own.
=== main.php
<?php
class Shelf { function lend() {} }
(new Shelf())->lend();                         //@ call -> Shelf.lend exact
