// fcntl and ioctl, as far as a program alone with its files can tell.

#include "rt.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int is_open(int fd) {
  struct stat status;
  return __rt_result(__sp_fstat(fd, &status)) >= 0;
}

// A duplicate that is not below `least`: those that are get closed again.
static int duplicate_from(int fd, int least) {
  long copy, too_low = -1;
  if (least < 0) return __rt_fail(EINVAL);
  copy = __sp_dup(fd);
  if (copy >= 0 && copy < least) {
    too_low = copy;
    copy = duplicate_from(fd, least);
    __sp_close((int)too_low);
    return (int)copy;
  }
  return (int)__rt_result(copy);
}

// Carries out a command that takes an argument.
static int command_with(int fd, int command, va_list args) {
  switch (command) {
    case F_DUPFD: case F_DUPFD_CLOEXEC:
      return duplicate_from(fd, va_arg(args, int));
    case F_GETLK:
      // Nobody else holds a lock.
      va_arg(args, struct flock *)->l_type = F_UNLCK;
      return 0;
    case F_SETFD: case F_SETFL: case F_SETLK: case F_SETLKW:
      return 0;
    default:
      return __rt_fail(EINVAL);
  }
}

int fcntl(int fd, int command, ...) {
  va_list args;
  int result;
  if (!is_open(fd)) return -1;
  if (command == F_GETFD) return 0;
  if (command == F_GETFL) return fd == 0 ? O_RDONLY : fd <= 2 ? O_WRONLY : O_RDWR;
  va_start(args, command);
  result = command_with(fd, command, args);
  va_end(args);
  return result;
}

RT_ALIAS(fcntl64, fcntl);
RT_ALIAS(__fcntl, fcntl);

int flock(int fd, int operation) {
  (void)operation;
  return is_open(fd) ? 0 : -1;
}

int lockf(int fd, int command, off_t length) {
  (void)command;
  (void)length;
  return is_open(fd) ? 0 : -1;
}

RT_ALIAS(lockf64, lockf);

int posix_fadvise(int fd, off_t offset, off_t length, int advice) {
  (void)offset;
  (void)length;
  (void)advice;
  return is_open(fd) ? 0 : EBADF;
}

RT_ALIAS(posix_fadvise64, posix_fadvise);

// No descriptor is a device with controls.
int ioctl(int fd, unsigned long request, ...) {
  (void)request;
  return is_open(fd) ? __rt_fail(ENOTTY) : -1;
}
