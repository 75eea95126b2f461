// The paper's figure 4.2: the off-by-one error of WU-FTPD's realpath.
//
// Shown by: a string of 1019 characters: 1019 + 4 + 0 + 1 is not more than 1024, but there are "/", "blah" and NUL to come.
//
// trial: entry=test expect=out-of-bounds at=append paths=7
// trial: entry=test define=FIXED expect=clean paths=5
#include <stdlib.h>
#include <string.h>

// In spelunk.h: a string of length 0 to max, whose first bytes are free.
void spelunk_string(char *buf, unsigned head, unsigned max);

#ifndef SIZE
#define SIZE 1024
#endif

static int rootd;

void lookup(char *resolved) {
  char *wbuf = "blah";
  if (resolved[0] == '/' && resolved[1] == '\0')
    rootd = 1;
  else
    rootd = 0;
#ifdef FIXED
  if (strlen(resolved) + strlen(wbuf) + !rootd + 1 > SIZE)
#else
  if (strlen(resolved) + strlen(wbuf) + rootd + 1 > SIZE)
#endif
    return;
  if (rootd == 0)
    strcat(resolved, "/");
  strcat(resolved, wbuf); //~ append
}

void test(void) {
  char resolved[SIZE];
  spelunk_string(resolved, 5, SIZE - 1);
  lookup(resolved);
  exit(0);
}
