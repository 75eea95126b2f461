// The paper's figure 4.1: an off-by-one error that depends on the length of a string alone, and the same as an assertion.
//
// Shown by: a string of 4 characters.
//
// trial: entry=t1 param=s=string:4200 expect=out-of-bounds at=element paths=3
// trial: entry=t2 param=s=string:4200 expect=assert at=assertion paths=3
// trial: entry=t1 param=s=string:4200 define=FIXED expect=clean paths=2
// trial: entry=t2 param=s=string:4200 define=FIXED expect=clean paths=2
#include <assert.h>
#include <string.h>

#ifdef FIXED
#define LAST 3
#else
#define LAST 4
#endif

void t1(char *s) {
  unsigned int i;
  int A[5];
  i = strlen(s);
  if (i > LAST)
    return;
  A[i + 1] = 0; //~ element
}

void t2(char *s) {
  unsigned int i, tmp;
  int A[5];
  i = strlen(s);
  if (i > LAST)
    return;
  tmp = i + 1;
  assert(tmp < 5); //~ assertion
  A[tmp] = 0;
}
