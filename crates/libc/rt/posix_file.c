// Files by descriptor and by name. What the VM has no primitive for (links, owners, directories) is left out, so that a
// call to it is reported instead of failing in an invented way.

#include "rt.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/uio.h>
#include <unistd.h>

static long open_file(const char *path, int flags, int mode) { return __rt_result(__sp_open(path, flags, mode)); }

// The mode is an argument only when a file may be created.
#define OPTIONAL_MODE(mode, flags, last)           \
  int mode = 0;                                    \
  if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) { \
    va_list args;                                  \
    va_start(args, last);                          \
    mode = va_arg(args, int);                      \
    va_end(args);                                  \
  }

int open(const char *path, int flags, ...) {
  OPTIONAL_MODE(mode, flags, flags)
  return (int)open_file(path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
  char buf[PATH_MAX];
  OPTIONAL_MODE(mode, flags, flags)
  return (path = __rt_at(directory, path, buf)) ? (int)open_file(path, flags, mode) : -1;
}

int creat(const char *path, mode_t mode) { return (int)open_file(path, O_WRONLY | O_CREAT | O_TRUNC, (int)mode); }
int __openat_2(int directory, const char *path, int flags) { return openat(directory, path, flags); }
int __open_2(const char *path, int flags) { return (int)open_file(path, flags, 0); }

RT_ALIAS(open64, open);
RT_ALIAS(__open, open);
RT_ALIAS(__open64, open);
RT_ALIAS(openat64, openat);
RT_ALIAS(creat64, creat);
RT_ALIAS(__open64_2, __open_2);

int close(int fd) { return (int)__rt_result(__sp_close(fd)); }
ssize_t read(int fd, void *buf, size_t n) { return __rt_result(__rt_read(fd, buf, n)); }
ssize_t write(int fd, const void *buf, size_t n) { return __rt_result(__rt_write(fd, buf, n)); }
off_t lseek(int fd, off_t offset, int whence) { return __rt_result(__sp_lseek(fd, offset, whence)); }

RT_ALIAS(__close, close);
RT_ALIAS(__read, read);
RT_ALIAS(__write, write);
RT_ALIAS(lseek64, lseek);
RT_ALIAS(__lseek, lseek);

ssize_t __read_chk(int fd, void *buf, size_t n, size_t capacity) {
  if (n > capacity) __rt_chk_fail();
  return __rt_result(__rt_read(fd, buf, n));
}

// Transfers at an offset are made by moving there and back.
static ssize_t at_offset(int fd, off_t offset, long (*transfer)(int, void *, unsigned long), void *buf, size_t n) {
  long before = __sp_lseek(fd, 0, SEEK_CUR);
  long done = before < 0 ? before : __sp_lseek(fd, offset, SEEK_SET);
  if (done < 0) return __rt_result(done);
  done = transfer(fd, buf, n);
  __sp_lseek(fd, before, SEEK_SET);
  return __rt_result(done);
}

static long write_mutable(int fd, void *buf, unsigned long n) { return __rt_write(fd, buf, n); }

ssize_t pread(int fd, void *buf, size_t n, off_t offset) { return at_offset(fd, offset, __rt_read, buf, n); }

ssize_t pwrite(int fd, const void *buf, size_t n, off_t offset) {
  return at_offset(fd, offset, write_mutable, (void *)buf, n);
}

RT_ALIAS(pread64, pread);
RT_ALIAS(pwrite64, pwrite);

static ssize_t for_each_part(int fd, long (*transfer)(int, void *, unsigned long), const struct iovec *parts, int n) {
  ssize_t total = 0;
  if (n < 0 || n > IOV_MAX) return __rt_fail(EINVAL);
  for (int i = 0; i < n; i++) {
    long done = transfer(fd, parts[i].iov_base, parts[i].iov_len);
    if (done < 0) return total > 0 ? total : __rt_result(done);
    total += done;
    if ((size_t)done < parts[i].iov_len) break;
  }
  return total;
}

ssize_t readv(int fd, const struct iovec *parts, int n) { return for_each_part(fd, __rt_read, parts, n); }
ssize_t writev(int fd, const struct iovec *parts, int n) { return for_each_part(fd, write_mutable, parts, n); }

int dup(int fd) { return (int)__rt_result(__sp_dup(fd)); }
int dup2(int from, int to) { return (int)__rt_result(__sp_dup2(from, to)); }
int ftruncate(int fd, off_t length) { return (int)__rt_result(__sp_ftruncate(fd, length)); }

RT_ALIAS(__dup2, dup2);
RT_ALIAS(ftruncate64, ftruncate);

int dup3(int from, int to, int flags) {
  if (from == to || (flags & ~O_CLOEXEC)) return __rt_fail(EINVAL);
  return dup2(from, to);
}

int truncate(const char *path, off_t length) {
  long fd = open_file(path, O_WRONLY, 0);
  long result;
  if (fd < 0) return -1;
  result = __rt_result(__sp_ftruncate((int)fd, length));
  __sp_close((int)fd);
  return (int)result;
}

RT_ALIAS(truncate64, truncate);

// Nothing is lost while the program runs, which is all that it can see.
static int succeed_if_open(int fd) {
  struct stat status;
  return __rt_result(__sp_fstat(fd, &status)) < 0 ? -1 : 0;
}

int fsync(int fd) { return succeed_if_open(fd); }
int fdatasync(int fd) { return succeed_if_open(fd); }
void sync(void) {}

int isatty(int fd) {
  long result = __sp_isatty(fd);
  RT_ONE_RESULT("isatty");
  if (result == 1) return 1;
  errno = result < 0 ? (int)-result : ENOTTY;
  return 0;
}

// ---- Names

int unlink(const char *path) { return (int)__rt_result(__sp_unlink(path)); }
int rmdir(const char *path) { return (int)__rt_result(__sp_rmdir(path)); }
int mkdir(const char *path, mode_t mode) { return (int)__rt_result(__sp_mkdir(path, (int)mode)); }
int rename(const char *from, const char *to) { return (int)__rt_result(__sp_rename(from, to)); }
int access(const char *path, int mode) { return (int)__rt_result(__sp_access(path, mode)); }
int euidaccess(const char *path, int mode) { return (int)__rt_result(__sp_access(path, mode)); }
int chdir(const char *path) { return (int)__rt_result(__sp_chdir(path)); }

RT_ALIAS(eaccess, euidaccess);

// A file or an empty directory.
int remove(const char *path) {
  long result = __sp_unlink(path);
  if (result == -EISDIR || result == -EPERM) result = __sp_rmdir(path);
  return (int)__rt_result(result);
}

char *getcwd(char *buf, size_t n) {
  char local[PATH_MAX];
  char *target = buf;
  if (buf && n == 0) {
    errno = EINVAL;
    return NULL;
  }
  if (__rt_result(__sp_getcwd(buf ? buf : local, buf ? n : sizeof local)) < 0) return NULL;
  if (buf) return buf;
  if (n != 0 && n <= strlen(local)) {
    errno = ERANGE;
    return NULL;
  }
  target = malloc(n != 0 ? n : strlen(local) + 1);
  return target ? strcpy(target, local) : NULL;
}

char *__getcwd_chk(char *buf, size_t n, size_t capacity) {
  if (n > capacity) __rt_chk_fail();
  return getcwd(buf, n);
}

char *get_current_dir_name(void) { return getcwd(NULL, 0); }
