// The end of a program whose fortified call was given too small a buffer.

#include "rt.h"

#include <sys/select.h>

_Noreturn void __rt_chk_fail(void) { __sp_abort("buffer overflow detected"); }

_Noreturn void __chk_fail(void) { __rt_chk_fail(); }

_Noreturn void __stack_chk_fail(void) { __sp_abort("stack smashing detected"); }

_Noreturn void __fortify_fail(const char *why) { __sp_abort(why); }

long __fdelt_chk(long descriptor) {
  if (descriptor < 0 || descriptor >= FD_SETSIZE) __rt_chk_fail();
  return descriptor / __NFDBITS;
}
