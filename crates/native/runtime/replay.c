// All of the runtime as one unit.

#include "clock.c"
#include "heap.c"
#include "inputs.c"
#include "log.c"
#include "server.c"
#include "tests.c"
#include "unit.c"
