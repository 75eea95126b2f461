// What <assert.h> calls when an assertion fails.

#include "rt.h"

_Noreturn void __assert_fail(const char *expr, const char *file, unsigned line, const char *function) {
  __sp_assert_fail(expr, file, line, function);
}

_Noreturn void __assert(const char *expr, const char *file, int line) {
  __sp_assert_fail(expr, file, (unsigned)line, "");
}
