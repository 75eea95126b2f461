// A comparison that is computed where a call expects it.
// paths: 2
#include <spelunk.h>

static int chosen(_Bool is_large, int n) {
  if (n == 3)
    return is_large;
  return 2;
}

int main(void) {
  int n = spelunk_int("n"), m = spelunk_int("m");
  spelunk_assume(n <= 100);
  return chosen(m > 7, n);
}
