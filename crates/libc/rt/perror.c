// Messages about errors on the standard error stream.

#include "rt.h"

#include <signal.h>

static void report(const char *subject, const char *text) {
  RT_MUTED(RT_OUTPUT);
  if (subject && *subject) fprintf(stderr, "%s: %s\n", subject, text);
  else fprintf(stderr, "%s\n", text);
}

void perror(const char *subject) { report(subject, __rt_describe_error(errno)); }

void psignal(int signal, const char *subject) { report(subject, strsignal(signal)); }
