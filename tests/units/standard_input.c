// A function that reads standard input, beside its parameters.
//
// trial: entry=answer sym-stdin=8 expect=out-of-bounds at=word says=1_bug_(1_confirmed)
// trial: entry=answer sym-stdin=8 fault=SHORT expect=clean
#include <stdio.h>
#include <string.h>

int answer(int otherwise) {
  char b[8];
  int table[3] = {10, 20, 30};
#ifdef FAULT_SHORT
  if (scanf("%2s", b) != 1)
#else
  if (scanf("%7s", b) != 1)
#endif
    return otherwise > 0 ? otherwise : 0;
  return table[strlen(b)]; //~ word
}
