// Names that are relative to an open directory.

#include "rt.h"

#include <fcntl.h>
#include <unistd.h>

const char *__rt_at(int directory, const char *path, char buf[PATH_MAX]) {
  long length, rest;
  if (directory == AT_FDCWD || path[0] == '/' || path[0] == '\0') return path;
  length = __rt_result(__sp_directory(directory, buf, PATH_MAX));
  if (length < 0) return NULL;
  rest = (long)strlen(path) + 1;
  if (length + rest > PATH_MAX) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  buf[length - 1] = '/';
  memcpy(buf + length, path, (size_t)rest);
  return buf;
}

int fchdir(int fd) {
  char path[PATH_MAX];
  return __rt_result(__sp_directory(fd, path, sizeof path)) < 0 ? -1 : (int)__rt_result(__sp_chdir(path));
}

int mkdirat(int directory, const char *path, mode_t mode) {
  char buf[PATH_MAX];
  return (path = __rt_at(directory, path, buf)) ? (int)__rt_result(__sp_mkdir(path, (int)mode)) : -1;
}

int unlinkat(int directory, const char *path, int flags) {
  char buf[PATH_MAX];
  if (!(path = __rt_at(directory, path, buf))) return -1;
  return (int)__rt_result(flags & AT_REMOVEDIR ? __sp_rmdir(path) : __sp_unlink(path));
}

int faccessat(int directory, const char *path, int mode, int flags) {
  char buf[PATH_MAX];
  (void)flags;
  return (path = __rt_at(directory, path, buf)) ? (int)__rt_result(__sp_access(path, mode)) : -1;
}

int renameat(int from_directory, const char *from, int to_directory, const char *to) {
  char from_buf[PATH_MAX], to_buf[PATH_MAX];
  from = __rt_at(from_directory, from, from_buf);
  to = from ? __rt_at(to_directory, to, to_buf) : NULL;
  return to ? (int)__rt_result(__sp_rename(from, to)) : -1;
}

ssize_t readlinkat(int directory, const char *restrict path, char *restrict out, size_t n) {
  char buf[PATH_MAX];
  return (path = __rt_at(directory, path, buf)) ? readlink(path, out, n) : -1;
}

int fchmodat(int directory, const char *path, mode_t mode, int flags) {
  char buf[PATH_MAX];
  (void)flags;
  return (path = __rt_at(directory, path, buf)) ? chmod(path, mode) : -1;
}
