// The program's name as error messages show it.

#include "rt.h"

char *program_invocation_name = "";
char *program_invocation_short_name = "";

extern char *__rt_progname_alias __asm__("__progname") __attribute__((alias("program_invocation_short_name")));
extern char *__rt_progname_full_alias __asm__("__progname_full") __attribute__((alias("program_invocation_name")));

void __rt_name_program(char *path) {
  char *slash = strrchr(path, '/');
  program_invocation_name = path;
  program_invocation_short_name = slash ? slash + 1 : path;
}
