// Owners and times of files. While paths are explored, nobody looks at them again; otherwise they are the host's.

#include "rt.h"

#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#ifdef RT_FOLLOWED
#define CHECK_EXPLORED(function) RT_NOTE(RT_ONE_ANSWER, function, "succeeds for every file that is there")
#else
#define CHECK_EXPLORED(function) __sp_unsupported("a call of `" function "`: owners and times of files are the host's")
#endif

static int found(const char *path, int flags) {
  struct stat status;
  return path && __rt_result(__sp_stat(path, &status, (flags & AT_SYMLINK_NOFOLLOW) != 0)) < 0 ? -1 : 0;
}

static int found_at(int directory, const char *path, int flags) {
  char buf[PATH_MAX];
  return (path = __rt_at(directory, path, buf)) ? found(path, flags) : -1;
}

static int is_open(int fd) {
  struct stat status;
  return __rt_result(__sp_fstat(fd, &status)) < 0 ? -1 : 0;
}

int chown(const char *path, uid_t owner, gid_t group) {
  (void)owner;
  (void)group;
  CHECK_EXPLORED("chown");
  return found(path, 0);
}

int lchown(const char *path, uid_t owner, gid_t group) {
  (void)owner;
  (void)group;
  CHECK_EXPLORED("lchown");
  return found(path, AT_SYMLINK_NOFOLLOW);
}

int fchown(int fd, uid_t owner, gid_t group) {
  (void)owner;
  (void)group;
  CHECK_EXPLORED("fchown");
  return is_open(fd);
}

int fchownat(int directory, const char *path, uid_t owner, gid_t group, int flags) {
  (void)owner;
  (void)group;
  CHECK_EXPLORED("fchownat");
  return found_at(directory, path, flags);
}

int utime(const char *path, const struct utimbuf *times) {
  (void)times;
  CHECK_EXPLORED("utime");
  return found(path, 0);
}

int utimes(const char *path, const struct timeval times[2]) {
  (void)times;
  CHECK_EXPLORED("utimes");
  return found(path, 0);
}

int utimensat(int directory, const char *path, const struct timespec times[2], int flags) {
  (void)times;
  CHECK_EXPLORED("utimensat");
  return found_at(directory, path, flags);
}

int futimens(int fd, const struct timespec times[2]) {
  (void)times;
  CHECK_EXPLORED("futimens");
  return is_open(fd);
}
