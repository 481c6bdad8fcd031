Names of classes, functions and methods are the same in any case (manual, "Userland Naming Guide" and "Functions"): names are looked up as written.
=== main.php
<?php
class Shelf { function lend() {} }
function Sorted() {}
new shelf();                                   //@ call -> Shelf exact
SORTED();                                      //@ call -> Sorted exact
SHELF::lend();                                 //@ call -> Shelf.lend exact
