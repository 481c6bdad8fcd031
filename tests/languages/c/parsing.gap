An include between the enumerators of an enum is nothing that the grammar knows: the enum is lost. Needs a repair that blanks the line and keeps the import.
=== ops.h
OP(ADD, "add")
=== main.c
#define OP(name, text) OP_##name,
enum op {
#include "ops.h"
    OP_COUNT  //@ def enum_member op.OP_COUNT
};
int count(void) { return OP_COUNT; }  //@ read -> op.OP_COUNT exact
