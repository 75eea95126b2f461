// The order of bytes of the network, there and back; an assertion without the header that has it as a macro.
// paths: 2
#include <arpa/inet.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  klee_assert(ntohl(htonl(n)) == n);
  if (htonl(n) == 0x01020304)
    klee_assert(n != 0x04030201); //~ BUG(assert)
  return htons((unsigned short)n) == 0x1234 ? 1 : 0;
}
