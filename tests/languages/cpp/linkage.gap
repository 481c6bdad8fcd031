A constant that a header declares extern has external linkage in the file that defines it, though nothing in that file's own text says so. Needs the
included file's declarations when the definition is given its id.
=== limit.h
extern const int kLimit;  //@ def constant kLimit spans=2
=== limit.cc
#include "limit.h"
const int kLimit = 9;  //@ def constant kLimit spans=2
=== far.cc
namespace app { class Shelf { void Lend(); }; }
=== out.cc
#include "far.cc"
using namespace app;
void Shelf::Lend() {}  //@ def method app::Shelf::Lend spans=2
