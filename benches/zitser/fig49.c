// The paper's figure 4.9: WU-FTPD's mapping_chdir, an unchecked strcpy.
//
// Shown by: a path of 4096 characters.
//
// trial: entry=mapping_chdir param=orig_path=string:4200 expect=out-of-bounds at=copied paths=2
// trial: entry=mapping_chdir param=orig_path=string:4200 define=FIXED expect=clean paths=2
#include <string.h>

#ifndef MAXPATHLEN
#define MAXPATHLEN 4096
#endif

char pathspace[MAXPATHLEN];
char old_mapped_path[MAXPATHLEN];
char mapped_path[MAXPATHLEN] = "/";

int mapping_chdir(char *orig_path) {
  char *path = &pathspace[0];
#ifdef FIXED
  if (strlen(orig_path) >= MAXPATHLEN)
    return -1;
#endif
  strcpy(old_mapped_path, mapped_path);
  strcpy(path, orig_path); //~ copied
  return 0;
}
