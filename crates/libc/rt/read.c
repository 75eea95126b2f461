// Input from a descriptor. What devices give that make random bytes is input of the program, while paths are explored.

#include "rt.h"

long __rt_read(int fd, void *buf, unsigned long n) {
#ifdef RT_FOLLOWED
  if (__sp_random(fd)) {
    __sp_make_input(buf, n, "/dev/urandom");
    return (long)n;
  }
#endif
  return __sp_read(fd, buf, n);
}
