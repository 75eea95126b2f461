// Terminals, of which an explored program has none.

#include "rt.h"

#include <termios.h>
#include <unistd.h>

// -1 with errno set. What a program does with a real one is beyond us.
static int refuse(int fd) {
  long result = __sp_isatty(fd);
  RT_NOTE(RT_ONE_ANSWER, "isatty", "has one result in all runs");
  if (result == 1) __sp_unsupported("settings of a terminal");
  return __rt_fail(result < 0 ? (int)-result : ENOTTY);
}

int tcgetattr(int fd, struct termios *out) {
  (void)out;
  return refuse(fd);
}

int tcsetattr(int fd, int when, const struct termios *settings) {
  (void)when;
  (void)settings;
  return refuse(fd);
}

int tcdrain(int fd) { return refuse(fd); }

#define ON_TERMINAL(name, type)   \
  int name(int fd, type unused) { \
    (void)unused;                 \
    return refuse(fd);            \
  }

ON_TERMINAL(tcflow, int)
ON_TERMINAL(tcflush, int)
ON_TERMINAL(tcsendbreak, int)
ON_TERMINAL(tcsetpgrp, pid_t)

pid_t tcgetpgrp(int fd) { return refuse(fd); }

char *ttyname(int fd) {
  refuse(fd);
  return NULL;
}

int ttyname_r(int fd, char *buf, size_t n) {
  (void)buf;
  (void)n;
  refuse(fd);
  return errno;
}
