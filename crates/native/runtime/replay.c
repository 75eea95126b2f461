// All of the runtime as one unit.

// For `nftw` and `MAP_FIXED_NOREPLACE`.
#define _GNU_SOURCE

#include "clock.c"
#include "commands.c"
#include "devices.c"
#include "files.c"
#include "heap.c"
#include "inputs.c"
#include "log.c"
#include "heads.c"
#include "observed.c"
#include "process.c"
#include "server.c"
#include "stack.c"
#include "tests.c"
#include "uninitialised.c"
#include "unit.c"
