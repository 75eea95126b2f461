// The functions of SV-COMP; the error is reached for one pair of numbers.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned char y = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(x > 1000 && x < 2000);
  if (x - y * 7 == 1)
    reach_error(); //~ BUG(reach-error)
  return 0;
}
