/* Output to a descriptor, with the signal that a closed pipe answers with. */

#include "rt.h"

#include <errno.h>
#include <signal.h>

/* Only a program that handles signals has it linked; in any other, the default action is the only one there is. */
extern __typeof__(raise) raise __attribute__((weak));

long __rt_write(int fd, const void *buf, unsigned long n) {
  RT_MUTED_IF(!__sp_keeps(fd), RT_OUTPUT);
  long written = __sp_write(fd, buf, n);
  if (written == -EPIPE) {
    if (raise)
      raise(SIGPIPE);
    else
      __sp_raise(SIGPIPE);
  }
  return written;
}
