Macros that hide braces: calls behind them look like declarations, and a namespace that one opens is not seen.
=== macros.h
#define BEGIN_NAMESPACE namespace app {
#define END_NAMESPACE }
#define LOOP for (;;) {
#define DONE }
#define BEGIN {
#define END }
void Help();
=== use.cc
#include "macros.h"
BEGIN_NAMESPACE
class Shelf {};  //@ def class app::Shelf
END_NAMESPACE
void Walk() {
  LOOP
    Help();  //@ call -> Help exact from Walk
  DONE
  Help();  //@ call -> Help exact from Walk
}
void Short() BEGIN Help(); END  //@ def function Short ; nodef Help
