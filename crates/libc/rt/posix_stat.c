// File status, also under the versioned names of older headers, and the file-mode mask.

#include "rt.h"

#include <fcntl.h>

int stat(const char *restrict path, struct stat *restrict out) { return (int)__rt_result(__sp_stat(path, out, 0)); }
int lstat(const char *restrict path, struct stat *restrict out) { return (int)__rt_result(__sp_stat(path, out, 1)); }
int fstat(int fd, struct stat *out) { return (int)__rt_result(__sp_fstat(fd, out)); }

int fstatat(int directory, const char *restrict path, struct stat *restrict out, int flags) {
  if (path[0] == '\0' && (flags & AT_EMPTY_PATH)) return fstat(directory, out);
  char buf[PATH_MAX];
  if (!(path = __rt_at(directory, path, buf))) return -1;
  return flags & AT_SYMLINK_NOFOLLOW ? lstat(path, out) : stat(path, out);
}

RT_ALIAS(stat64, stat);
RT_ALIAS(lstat64, lstat);
RT_ALIAS(fstat64, fstat);
RT_ALIAS(fstatat64, fstatat);

int __xstat(int version, const char *path, struct stat *out) {
  (void)version;
  return stat(path, out);
}

int __lxstat(int version, const char *path, struct stat *out) {
  (void)version;
  return lstat(path, out);
}

int __fxstat(int version, int fd, struct stat *out) {
  (void)version;
  return fstat(fd, out);
}

int __fxstatat(int version, int directory, const char *path, struct stat *out, int flags) {
  (void)version;
  return fstatat(directory, path, out, flags);
}

RT_ALIAS(__xstat64, __xstat);
RT_ALIAS(__lxstat64, __lxstat);
RT_ALIAS(__fxstat64, __fxstat);
RT_ALIAS(__fxstatat64, __fxstatat);

// Kept for the program's own questions; the VM applies its own mask to new files.
mode_t umask(mode_t mask) {
  static mode_t current = 022;
  mode_t before = current;
  current = mask & 0777;
  return before;
}
