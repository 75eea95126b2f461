// Messages with the program's name: <err.h> and <error.h>.

#include "rt.h"

#include <err.h>
#include <error.h>

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

// "name: message: text of the error"; each part but the name is optional.
static void report(int with_error, int error, const char *format, va_list args) {
  fprintf(stderr, "%s: ", program_invocation_short_name);
  if (format) {
    __rt_vfprintf(stderr, format, args);
    if (with_error) fprintf(stderr, ": ");
  }
  if (with_error) fprintf(stderr, "%s", __rt_describe_error(error));
  fprintf(stderr, "\n");
}

void vwarn(const char *format, va_list args) { report(1, errno, format, args); }
void vwarnx(const char *format, va_list args) { report(0, 0, format, args); }

void verr(int status, const char *format, va_list args) {
  report(1, errno, format, args);
  exit(status);
}

void verrx(int status, const char *format, va_list args) {
  report(0, 0, format, args);
  exit(status);
}

#define WITH_ARGS(statement) \
  va_list args;              \
  va_start(args, format);    \
  statement;                 \
  va_end(args)

void warn(const char *format, ...) { WITH_ARGS(report(1, errno, format, args)); }
void warnx(const char *format, ...) { WITH_ARGS(report(0, 0, format, args)); }

void err(int status, const char *format, ...) {
  WITH_ARGS(report(1, errno, format, args));
  exit(status);
}

void errx(int status, const char *format, ...) {
  WITH_ARGS(report(0, 0, format, args));
  exit(status);
}

// ---- <error.h>: the text of the error follows the message, and where it happened may stand before.

static void report_at(int status, int error, const char *file, unsigned line, const char *format, va_list args) {
  fflush(stdout);
  if (error_print_progname) error_print_progname();
  else fprintf(stderr, "%s:%s", program_invocation_name, file ? "" : " ");
  if (file) fprintf(stderr, "%s:%u: ", file, line);
  __rt_vfprintf(stderr, format, args);
  error_message_count++;
  if (error) fprintf(stderr, ": %s", __rt_describe_error(error));
  fprintf(stderr, "\n");
  if (status) exit(status);
}

void error(int status, int number, const char *format, ...) {
  WITH_ARGS(report_at(status, number, NULL, 0, format, args));
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
  static const char *last_file;
  static unsigned last_line;
  if (error_one_per_line) {
    int again = last_line == line && (last_file == file || (last_file && file && strcmp(last_file, file) == 0));
    if (again) return;
    last_file = file;
    last_line = line;
  }
  WITH_ARGS(report_at(status, number, file, line, format, args));
}
