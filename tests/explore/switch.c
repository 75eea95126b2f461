// A switch with cases that share code is decided once for each place that it leads to.
// paths: 4
#include <spelunk.h>

int main(void) {
  switch (spelunk_int("which")) {
  case 1:
  case 2:
  case 3:
    return 1;
  case 10:
    return 2;
  case -5:
    return 3;
  default:
    return 0;
  }
}
