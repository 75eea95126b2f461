/* Objects of input, what is expected of results, and running tests: each in a process of its own, since a test may leave the
 * program's variables changed, end the process or crash. */

#define _GNU_SOURCE
#include "spelunk_test.h"
#include "inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds that a test may take. */
enum { TIME_LIMIT = 10 };

/* Errors end the process by a signal, so that no exit status of a program is taken for one; the input's objects are never
 * freed. */
#define SANITIZER_OPTIONS "abort_on_error=1:detect_leaks=0:allocator_may_return_null=1:print_stacktrace=1"
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
const char *__asan_default_options(void) { return SANITIZER_OPTIONS; }
const char *__ubsan_default_options(void) { return SANITIZER_OPTIONS; }

extern char **environ;
extern const struct spelunk_test spelunk_tests[] __attribute__((weak));
/* The linker's name for the program's `main`, if tests run it. */
int __real_main(int argc, char **argv, char **envp) __attribute__((weak));

static _Noreturn void give_up(const char *what) {
  perror(what);
  abort();
}

/* Objects. */

/* The sanitizer gives a byte to those who ask for none. They must not touch it. */
void __asan_poison_memory_region(const volatile void *start, size_t size) __attribute__((weak));

void *spelunk_copy(const void *content, size_t n_bytes, size_t size) {
  unsigned char *object = malloc(size);
  if (object && !size && __asan_poison_memory_region)
    __asan_poison_memory_region(object, 1);
  if (!object && size)
    give_up("cannot make an object");
  if (size)
    memset(object, 0, size);
  if (n_bytes && size)
    memcpy(object, content, n_bytes < size ? n_bytes : size);
  return object;
}

void spelunk_put(void *place, const void *content, size_t n_bytes) { memcpy(place, content, n_bytes); }

void spelunk_put_pointer(void *object, size_t offset, const void *value) {
  memcpy((char *)object + offset, &value, sizeof value);
}

float spelunk_float_of(unsigned bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double spelunk_double_of(unsigned long long bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* What the program asks for. */

static struct input *inputs;
static uint32_t n_inputs;

void spelunk_next(const char *name, size_t n_bytes, const void *content) {
  struct input *more = realloc(inputs, (n_inputs + 1) * sizeof *inputs);
  if (!more)
    give_up("cannot keep the input");
  inputs = more;
  void *copy = spelunk_copy(content, n_bytes, n_bytes);
  inputs[n_inputs].name = (struct bytes){(uint32_t)strlen(name), (const unsigned char *)name};
  inputs[n_inputs++].content = (struct bytes){(uint32_t)n_bytes, copy};
  spelunk_set_inputs(inputs, n_inputs);
}

void spelunk_next_number(const char *name, size_t n_bytes, long long value) { spelunk_next(name, n_bytes, &value); }

static const char *meaning_of(const char *kind) {
  static const char *const meanings[][2] = {
      {"assert", "an assertion of the program fails"},
      {"abort", "the program calls klee_abort"},
      {"reach-error", "the program reaches its error function"},
      {"reported-error", "the program reports an error"},
      {"excluded", "the program excludes this input"},
      {"more-input", "the program asks for more than the test has"},
      {"other-input", "the program asks for something else than the test has"},
  };
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
    if (strcmp(meanings[i][0], kind) == 0)
      return meanings[i][1];
  return kind;
}

void spelunk_log(const char *kind, void *const *trace, int n_frames) {
  (void)trace, (void)n_frames;
  fflush(stdout);
  fprintf(stderr, "%s\n", meaning_of(kind));
}

void spelunk_stop(int status) {
  (void)status;
  fflush(NULL);
  abort();
}

/* Files, in a directory that goes with the process. */

static char directory[64];

static void name_directory(pid_t pid) { snprintf(directory, sizeof directory, "/tmp/spelunk-test-%ld", (long)pid); }

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place) {
  (void)info, (void)kind, (void)place;
  return remove(path);
}

static void remove_directory(void) {
  if (directory[0])
    nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void go_to_directory(void) {
  if (directory[0])
    return;
  name_directory(getpid());
  int failed = mkdir(directory, 0700);
  if (failed && errno == EEXIST) {
    /* Of a process of that number that was killed. */
    remove_directory();
    failed = mkdir(directory, 0700);
  }
  if (failed || chdir(directory) != 0)
    give_up(directory);
  atexit(remove_directory);
}

static void write_file(int fd, const void *content, size_t n_bytes) {
  if (fd < 0 || write(fd, content, n_bytes) != (ssize_t)n_bytes)
    give_up("cannot write a file");
}

void spelunk_add_file(const char *name, size_t n_bytes, const void *content) {
  go_to_directory();
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  write_file(fd, content, n_bytes);
  close(fd);
}

void spelunk_set_stdin(size_t n_bytes, const void *content) {
  FILE *file = tmpfile();
  if (!file)
    give_up("cannot make a file");
  write_file(fileno(file), content, n_bytes);
  if (lseek(fileno(file), 0, SEEK_SET) != 0 || dup2(fileno(file), 0) != 0)
    give_up("standard input");
}

/* Processes. */

static void use_null(int fd, int flags) {
  int opened = open("/dev/null", flags);
  if (opened >= 0) {
    dup2(opened, fd);
    close(opened);
  }
}

/* How a child ended; what it has left behind goes. */
static int await(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) != child)
    if (errno != EINTR)
      give_up("waitpid");
  char own[sizeof directory];
  memcpy(own, directory, sizeof own);
  name_directory(child);
  remove_directory();
  memcpy(directory, own, sizeof own);
  return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

static pid_t start(void) {
  fflush(NULL);
  pid_t child = fork();
  if (child < 0)
    give_up("fork");
  if (child == 0)
    alarm(TIME_LIMIT);
  return child;
}

int spelunk_run_program(int argc, const char *const *argv) {
  pid_t child = start();
  if (child > 0)
    return await(child);
  static char *no_environment[] = {NULL};
  environ = no_environment;
  /* Each argument is an object of its own, so that going beyond its end is noticed. */
  char **args = spelunk_copy(argv, (size_t)argc * sizeof *args, ((size_t)argc + 1) * sizeof *args);
  for (int i = 0; i < argc; i++)
    args[i] = spelunk_copy(argv[i], strlen(argv[i]) + 1, strlen(argv[i]) + 1);
  go_to_directory();
  use_null(1, O_WRONLY);
  exit(__real_main(argc, args, environ));
}

static int run_listed(int number) {
  spelunk_tests[number].run();
  return 0;
}

/* 0 if the test passes. */
static int run_alone(int number, int (*run)(int number)) {
  const struct spelunk_test *test = &spelunk_tests[number];
  pid_t child = start();
  if (child == 0) {
    use_null(0, O_RDONLY);
    if (run(number) != 0)
      abort();
    /* Not one that the program was expected to end with. */
    exit(test->status == SPELUNK_ANY_STATUS ? 0 : test->status);
  }
  int status = await(child);
  if (status == test->status || (test->status == SPELUNK_ANY_STATUS && status < 256))
    return 0;
  if (status == 256 + SIGALRM)
    printf("%s has not ended after %d seconds\n", test->name, TIME_LIMIT);
  else if (status >= 256)
    printf("%s was ended by signal %d (%s)\n", test->name, status - 256, strsignal(status - 256));
  else
    printf("%s ended with status %d\n", test->name, status);
  return 1;
}

int spelunk_run_alone(const char *name) {
  for (int i = 0; spelunk_tests[i].name; i++)
    if (strcmp(spelunk_tests[i].name, name) == 0)
      return run_alone(i, run_listed);
  printf("there is no test %s\n", name);
  return 1;
}

int spelunk_is_wanted(int argc, char **argv, const char *name) {
  const char *number = name + strcspn(name, "123456789");
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], name) == 0 || (*number && strcmp(argv[i], number) == 0))
      return 1;
  return argc < 2;
}

int spelunk_main(int argc, char **argv, int (*run)(int number)) {
  int n_run = 0, n_failed = 0;
  for (int i = 0; spelunk_tests[i].name; i++) {
    if (!spelunk_is_wanted(argc, argv, spelunk_tests[i].name))
      continue;
    n_run++;
    if (run_alone(i, run ? run : run_listed) != 0) {
      n_failed++;
      printf("FAILED %s\n", spelunk_tests[i].name);
    } else {
      printf("ok     %s\n", spelunk_tests[i].name);
    }
  }
  printf("%d tests: %d passed, %d failed\n", n_run, n_run - n_failed, n_failed);
  if (n_run == 0)
    fprintf(stderr, "no test has such a name or number\n");
  return n_failed > 0 || n_run == 0;
}

/* What is expected. */

static void fail(void) {
  fflush(NULL);
  abort();
}

void spelunk_fail_at(const char *file, int line, const char *what) {
  fprintf(stderr, "%s:%d: %s does not hold\n", file, line, what);
  fail();
}

/* Loops. */

enum { ENOUGH_VISITS = 1000000, MOST_VARIABLES = 64 };
extern const struct spelunk_loop spelunk_loops[] __attribute__((weak));
static const struct spelunk_loop *watched;

void expect_to_leave_loop(int test) {
  for (int i = 0; spelunk_loops && spelunk_loops[i].test; i++)
    if (spelunk_loops[i].test == test)
      watched = &spelunk_loops[i];
}

void spelunk_at_loop(int loop, int n_variables, ...) {
  static unsigned long n_visits, n_in_set, first_in_set;
  if (!watched || watched->loop != loop)
    return;
  n_visits++;
  if (n_in_set && (n_visits - first_in_set) % (unsigned long)watched->every != 0)
    return;
  const unsigned char *variables[MOST_VARIABLES];
  va_list rest;
  va_start(rest, n_variables);
  for (int i = 0; i < n_variables; i++)
    variables[i] = va_arg(rest, const unsigned char *);
  va_end(rest);
  if (!watched->is_in_set(variables)) {
    n_in_set = 0;
    return;
  }
  if (n_in_set++ == 0)
    first_in_set = n_visits;
  if (n_in_set < ENOUGH_VISITS)
    return;
  fprintf(stderr, "%s: the loop is never left while %s: it held on %lu visits in a row\n", watched->place,
          watched->condition, n_in_set);
  fail();
}

void spelunk_expect_int(const char *file, int line, const char *what, long long actual, long long expected) {
  if (actual == expected)
    return;
  fprintf(stderr, "%s:%d: %s is %lld instead of %lld\n", file, line, what, actual, expected);
  fail();
}

void spelunk_expect_uint(const char *file, int line, const char *what, unsigned long long actual,
                         unsigned long long expected) {
  if (actual == expected)
    return;
  fprintf(stderr, "%s:%d: %s is %llu instead of %llu\n", file, line, what, actual, expected);
  fail();
}

void spelunk_expect_float(const char *file, int line, const char *what, long double actual, long double expected) {
  if (actual == expected || (actual != actual && expected != expected))
    return;
  fprintf(stderr, "%s:%d: %s is %.21Lg instead of %.21Lg\n", file, line, what, actual, expected);
  fail();
}

void spelunk_expect_ptr(const char *file, int line, const char *what, const volatile void *actual,
                        const volatile void *expected) {
  if (actual == expected)
    return;
  fprintf(stderr, "%s:%d: %s is %p instead of %p\n", file, line, what, (void *)actual, (void *)expected);
  fail();
}

void spelunk_expect_bytes(const char *file, int line, const char *what, const volatile void *actual,
                          const void *expected, size_t n_bytes) {
  if (memcmp((const void *)actual, expected, n_bytes) == 0)
    return;
  fprintf(stderr, "%s:%d: %s has other bytes\n", file, line, what);
  fail();
}
