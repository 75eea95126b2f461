// Six bytes with two sums of them, as in Adler-32, that a trailer has to match.
#include <klee/klee.h>

int main(void) {
  unsigned char message[6];
  unsigned short low, high;
  klee_make_symbolic(message, sizeof message, "message");
  klee_make_symbolic(&low, sizeof low, "low");
  klee_make_symbolic(&high, sizeof high, "high");
  unsigned a = 1, b = 0;
  for (int i = 0; i < 6; i++) {
    a = (a + message[i]) % 251;
    b = (b + a) % 251;
    if (b == 17)
      return 1;
  }
  if (a != low)
    return 2;
  if (b != high)
    return 3;
  return a * b % 1000 == 7;
}
