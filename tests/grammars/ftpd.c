// A server that puts the current directory and the path of a command together, as WU-FTPD did: the check forgets the slash between them.
#include <string.h>

static const char *const directory = "/home/ftp/pub/incoming";

static int resolve(const char *path, int has_slash) {
  char resolved[1024];
  strcpy(resolved, directory);
  if (*path) {
    if (strlen(resolved) + strlen(path) + 1 > sizeof resolved)
      return -1;
    if (!has_slash)
      strcat(resolved, "/");
    strcat(resolved, path);
  }
  return resolved[0];
}

int command(const char *line) {
  static const char *const names[] = {"RETR ", "STOR ", "DELE ", "MKD "};
  for (int i = 0; i < 4; i++)
    if (strncmp(line, names[i], strlen(names[i])) == 0)
      return resolve(line + strlen(names[i]), 0);
  return -2;
}
