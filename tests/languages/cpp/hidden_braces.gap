Macros that hide braces: calls behind them look like declarations.
=== macros.h
#define LOOP for (;;) {
#define DONE }
#define BEGIN {
#define END }
void Help();
=== use.cc
#include "macros.h"
void Walk() {
  LOOP
    Help();  //@ call -> Help exact from Walk
  DONE
  Help();  //@ call -> Help exact from Walk
}
void Short() BEGIN Help(); END  //@ def function Short ; nodef Help
