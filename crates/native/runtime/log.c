// What the runtime itself notices, one line each: a word, and the addresses of the call stack, innermost first; or
// `value` and three numbers.

#include "replay.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

size_t __llvm_profile_get_size_for_buffer(void) __attribute__((weak));
int __llvm_profile_write_buffer(char *buffer) __attribute__((weak));

struct spelunk_result *spelunk_result;

// Shared with the processes of tests, so that what they noticed outlives them, and the files that they may have closed.
int spelunk_share_result(void) {
  size_t n_profile = __llvm_profile_get_size_for_buffer ? __llvm_profile_get_size_for_buffer() : 0;
  size_t size = sizeof *spelunk_result + n_profile;
  spelunk_result = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return spelunk_result != MAP_FAILED;
}

static void append(char *text, uint32_t *len, const char *more, size_t count) {
  size_t room = MAX_TEXT - *len;
  memcpy(text + *len, more, count < room ? count : room);
  *len += (uint32_t)(count < room ? count : room);
}

static void write_line(char *line, size_t used) {
  line[used++] = '\n';
  append(spelunk_result->log, &spelunk_result->n_log, line, used);
}

// Called by the sanitizers with whatever they print.
__attribute__((no_sanitize("memory"))) void __sanitizer_on_print(const char *text) {
  if (spelunk_result)
    append(spelunk_result->report, &spelunk_result->n_report, text, strlen(text));
}

void spelunk_write_profile(void) {
  if (spelunk_result && __llvm_profile_write_buffer && __llvm_profile_write_buffer(spelunk_result->profile) == 0)
    spelunk_result->n_profile = (uint32_t)__llvm_profile_get_size_for_buffer();
}

void spelunk_log_value(uint32_t number, uint32_t offset, unsigned char byte) {
  char line[64];
  write_line(line, (size_t)snprintf(line, sizeof line, "value %u %u %u", number, offset, byte));
}

void spelunk_log_handed(uint32_t number) {
  char line[64];
  write_line(line, (size_t)snprintf(line, sizeof line, "handed %u", number));
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
  spelunk_write_profile();
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

// A program that ends by these has covered what it has.
void _exit(int status) { spelunk_stop(status); }
void _Exit(int status) { spelunk_stop(status); }

// What abort does, once it has been noted who called it.
static _Noreturn void die(void) {
  spelunk_write_profile();
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
