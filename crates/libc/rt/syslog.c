// The system's log, which nobody reads: messages are made, so that what is wrong with them is found, and dropped.

#include "rt.h"

#include <syslog.h>

static const char *identity;
static int options;
static int mask = 0xff;

void openlog(const char *ident, int option, int facility) {
  (void)facility;
  identity = ident;
  options = option;
}

void closelog(void) {
  identity = NULL;
  options = 0;
}

int setlogmask(int new_mask) {
  int before = mask;
  if (new_mask != 0) mask = new_mask;
  return before;
}

static int drop(struct sink *sink, const char *text, size_t n) {
  (void)sink;
  (void)text;
  (void)n;
  return 0;
}

// A message for standard error comes with who says it, and is a line.
static void print(const char *format, va_list args) {
  size_t length = strlen(format);
  fputs(identity ? identity : program_invocation_short_name, stderr);
  if (options & LOG_PID) fprintf(stderr, "[%ld]", __sp_getpid());
  fputs(": ", stderr);
  __rt_vfprintf(stderr, format, args);
  if (length == 0 || format[length - 1] != '\n') fputc('\n', stderr);
}

static void log_message(int priority, const char *format, va_list args) {
  RT_MUTED(RT_OUTPUT);
  struct sink sink = {.put = drop};
  if (!(mask & LOG_MASK(LOG_PRI(priority)))) return;
  if (options & LOG_PERROR) print(format, args);
  else __rt_format(&sink, format, NULL, args);
}

void vsyslog(int priority, const char *format, va_list args) { log_message(priority, format, args); }

void syslog(int priority, const char *format, ...) {
  va_list args;
  va_start(args, format);
  log_message(priority, format, args);
  va_end(args);
}

// ---- Fortified

void __vsyslog_chk(int priority, int level, const char *format, va_list args) {
  (void)level;
  log_message(priority, format, args);
}

void __syslog_chk(int priority, int level, const char *format, ...) {
  va_list args;
  (void)level;
  va_start(args, format);
  log_message(priority, format, args);
  va_end(args);
}
