// Parts of path names: dirname, and both basenames.

#include "rt.h"

#include <libgen.h>
#undef basename

static size_t without_trailing_slashes(const char *path, size_t length) {
  while (length > 0 && path[length - 1] == '/') length--;
  return length;
}

// Length of the path up to and including its last slash.
static size_t directory_length(const char *path, size_t length) {
  while (length > 0 && path[length - 1] != '/') length--;
  return length;
}

// The GNU one, which changes nothing.
char *basename(const char *path) { return (char *)path + directory_length(path, strlen(path)); }

char *__xpg_basename(char *path) {
  size_t length;
  if (!path || *path == '\0') return ".";
  length = without_trailing_slashes(path, strlen(path));
  if (length == 0) return path + strlen(path) - 1;
  path[length] = '\0';
  return path + directory_length(path, length);
}

char *dirname(char *path) {
  size_t length;
  if (!path) return ".";
  length = without_trailing_slashes(path, strlen(path));
  if (length == 0 && *path != '/') return ".";
  length = directory_length(path, length);
  if (length == 0) {
    if (*path != '/') return ".";
    // Only slashes, of which exactly two may mean something special.
    length = path[1] == '/' && path[2] != '/' ? 2 : 1;
  } else {
    size_t trimmed = without_trailing_slashes(path, length);
    length = trimmed > 0 ? trimmed : length == 2 ? 2 : 1;
  }
  path[length] = '\0';
  return path;
}
