// Random bytes are input.
#define _GNU_SOURCE
#include <assert.h>
#include <sys/random.h>

int main(void) {
  unsigned char bytes[4];
  assert(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
  if (bytes[0] == 'r')
    assert(bytes[3] != 'm'); //~ BUG(assert)
  return 0;
}
