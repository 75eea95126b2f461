// Temporary files and names. Names come from a counter and the process id, so that a run can be repeated.

#include "rt.h"

#include <fcntl.h>
#include <unistd.h>

enum { N_PLACEHOLDERS = 6, N_ATTEMPTS = 10000 };

// Writes the next candidate over the six X.
static void fill_in(char *placeholders) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  static unsigned long counter;
  unsigned long number = ++counter * 7919 + (unsigned long)__sp_getpid() * 104729;
  for (int i = 0; i < N_PLACEHOLDERS; i++) {
    placeholders[i] = letters[number % (sizeof letters - 1)];
    number /= sizeof letters - 1;
  }
}

static char *find_placeholders(char *template, int suffix_length) {
  size_t length = strlen(template);
  char *placeholders;
  if (suffix_length < 0 || length < (size_t)suffix_length + N_PLACEHOLDERS) return NULL;
  placeholders = template + length - (size_t)suffix_length - N_PLACEHOLDERS;
  return memcmp(placeholders, "XXXXXX", N_PLACEHOLDERS) == 0 ? placeholders : NULL;
}

static long try_file(const char *path, int flags) { return __sp_open(path, flags | O_RDWR | O_CREAT | O_EXCL | RT_FRESH, 0600); }

static long try_directory(const char *path, int flags) {
  (void)flags;
  return __sp_mkdir(path, 0700);
}

static long try_name(const char *path, int flags) {
  struct stat status;
  long result = __sp_stat(path, &status, 1);
  (void)flags;
  return result == -ENOENT ? 0 : result < 0 ? result : -EEXIST;
}

// Fills in names until one is new.
static int make(char *template, int suffix_length, int flags, long (*attempt)(const char *, int)) {
  char *placeholders = find_placeholders(template, suffix_length);
  if (!placeholders) return __rt_fail(EINVAL);
  for (int i = 0; i < N_ATTEMPTS; i++) {
    long result;
    fill_in(placeholders);
    result = attempt(template, flags);
    if (result != -EEXIST) return (int)__rt_result(result);
  }
  return __rt_fail(EEXIST);
}

int mkstemp(char *template) { return make(template, 0, 0, try_file); }
int mkostemp(char *template, int flags) { return make(template, 0, flags, try_file); }
int mkstemps(char *template, int suffix_length) { return make(template, suffix_length, 0, try_file); }
int mkostemps(char *template, int suffix_length, int flags) { return make(template, suffix_length, flags, try_file); }
char *mkdtemp(char *template) { return make(template, 0, 0, try_directory) < 0 ? NULL : template; }

RT_ALIAS(mkstemp64, mkstemp);
RT_ALIAS(mkostemp64, mkostemp);
RT_ALIAS(mkstemps64, mkstemps);
RT_ALIAS(mkostemps64, mkostemps);

char *mktemp(char *template) {
  if (make(template, 0, 0, try_name) < 0) template[0] = '\0';
  return template;
}

char *tmpnam(char *buf) {
  static char shared[L_tmpnam];
  char *name = buf ? buf : shared;
  strcpy(name, "/tmp/fileXXXXXX");
  return make(name, 0, 0, try_name) < 0 ? NULL : name;
}

char *tmpnam_r(char *buf) { return buf ? tmpnam(buf) : NULL; }

FILE *tmpfile(void) {
  char name[] = "/tmp/tmpfXXXXXX";
  int fd = make(name, 0, 0, try_file);
  struct stream *stream;
  if (fd < 0) return NULL;
  __sp_unlink(name);
  stream = __rt_stream_over(fd, RT_READABLE | RT_WRITABLE);
  return stream ? &stream->pub : NULL;
}

RT_ALIAS(tmpfile64, tmpfile);
