// errno's home. A file of its own, since every other file needs it.

#include "rt.h"

static int error_number;

int *__errno_location(void) { return &error_number; }
