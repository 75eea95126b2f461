// What the runtime itself notices, one line each: a word, and the addresses of the call stack, innermost first; or
// `value` and three numbers.

#include "replay.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __llvm_profile_write_file(void) __attribute__((weak));

static const char *log_path;

void spelunk_open_log(const char *path) { log_path = path; }

static void write_line(char *line, size_t used) {
  line[used++] = '\n';
  int fd = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0 || write(fd, line, used) != (ssize_t)used)
    _exit(2);
  close(fd);
}

void spelunk_log_value(uint32_t number, uint32_t offset, unsigned char byte) {
  char line[64];
  write_line(line, (size_t)snprintf(line, sizeof line, "value %u %u %u", number, offset, byte));
}

void spelunk_log(const char *kind, void *const *trace, int n_frames) {
  char line[1024];
  size_t used = (size_t)snprintf(line, sizeof line, "%s", kind);
  for (int i = 0; i < n_frames && used + 24 < sizeof line; i++)
    // The address after a call belongs to what comes next.
    used += (size_t)snprintf(line + used, sizeof line - used, " %p", (void *)((char *)trace[i] - 1));
  write_line(line, used);
}

void spelunk_stop(int status) {
  if (__llvm_profile_write_file)
    __llvm_profile_write_file();
  _exit(status);
}

// What abort does, once it has been noted who called it.
static _Noreturn void die(void) {
  if (__llvm_profile_write_file)
    __llvm_profile_write_file();
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGABRT);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  raise(SIGABRT);
  // A handler has returned.
  signal(SIGABRT, SIG_DFL);
  raise(SIGABRT);
  _exit(134);
}

void abort(void) {
  NOTE("abort");
  die();
}

__attribute__((weak, noreturn)) void __assert_fail(const char *condition, const char *file, unsigned line,
                                                   const char *function) {
  NOTE("assert");
  fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
  die();
}
