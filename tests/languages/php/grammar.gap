What follows __halt_compiler is data (manual, "__halt_compiler"): the grammar reads on.
=== main.php
<?php
function f() {}
__halt_compiler(); this is no code: f();       //@ none f
