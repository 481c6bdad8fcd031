Macros that hide braces: calls that the parser takes for declarations, a body without its braces, the other half of a choice of heads.
=== macros.h
#define BEGIN {
#define END }
#define IF_OPEN(x) if (x) {
#define CLOSE }
void help(void);
=== use.c
#include "macros.h"
void walk(int n) {
  IF_OPEN(n) help(); CLOSE  //@ call -> help exact from walk
  help();  //@ call -> help exact from walk
}
void brief(void) BEGIN help(); END  //@ def function brief
=== half.c
#if defined(A)
void one(void) {
#else
void two(void) {  //@ def function two
#endif
}
