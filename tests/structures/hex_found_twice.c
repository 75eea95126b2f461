// An audit that comes to pointers by other ways than the operations before it, which have changed them: a pointer is decided once, in whichever
// way it is found.
//
// trial: entry=contains_then_remove_last hex=../../benches/hex/list.hex objects=entry=6 audit=ok paths=18 expect=clean
// trial: entry=remove_value_then_remove_first hex=../../benches/hex/list.hex objects=entry=6 audit=ok paths=20 expect=clean
#include "../../benches/hex/list.c"
