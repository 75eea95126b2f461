// Native runs of this go on for ever, and so does compiling it for them.
#include <klee/klee.h>
#if defined(WAITS) && __has_feature(address_sanitizer)
#include "pipe"
#endif

int main(void) {
  switch (klee_int("n")) {
  case 1: for (;;);
  case 2: for (;;);
  case 3: for (;;);
  case 4: for (;;);
  case 5: for (;;);
  case 6: for (;;);
  case 7: for (;;);
  case 8: for (;;);
  }
  return 0;
}
