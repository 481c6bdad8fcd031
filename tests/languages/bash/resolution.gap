Functions that are called through a variable, by eval of a string in double quotes, and with a name that another function's caller defines.
=== main.sh
lend() { :; }
run=lend
"$run" x                                       #@ call -> lend
eval "lend x"                                  #@ call -> lend
