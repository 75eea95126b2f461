// Runs tests one after another, each in a process and a directory of its own, and says what came of each.
//
// The linker calls this instead of the program's `main`. Arguments: the file of tests, an empty directory, the first
// test and how many to go on after each, milliseconds and heap bytes that each may take, the directory that the program is
// in, the bits of contain.h that have to be in force, and flags: `files` to have copies of its files where the directory itself can't be had, `leaks` to look for those,
// `moved` to have objects elsewhere than usual, `apart` to have a profile of each test; those of contain.c.
//
// Answers are lines on standard output, each with as many bytes behind it as it says: `NUMBER exit|signal|time VALUE LOG
// REPORT PROFILE`, and at the end `profile BYTES`.

#include "contain.h"
#include "replay.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int __real_main(int argc, char **argv, char **envp) __attribute__((weak));
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
void __llvm_profile_reset_counters(void) __attribute__((weak));
int __llvm_profile_check_compatibility(const char *profile, uint64_t size) __attribute__((weak));
int __llvm_profile_merge_from_buffer(const char *profile, uint64_t size) __attribute__((weak));

// What runs after `fork` in the child is for programs with threads; AddressSanitizer's part of it looks through megabytes. This one has none.
pid_t _Fork(void) __attribute__((weak));

// That it is defined keeps the profile's runtime from writing files.
int __llvm_profile_runtime;

extern char **environ;

// A file larger than this is a runaway.
#define MAX_FILE_SIZE ((rlim_t)64 << 20)

static const char *scratch, *directory;
static long time_limit_ms;
static uint64_t heap_limit;
static unsigned containment;
static int finds_leaks, has_files, has_own_profile;
static struct test current;
static void *stack_base;

// A test that can't be prepared says nothing about the program: the server ends, with the reason.
static _Noreturn void give_up(const char *path) {
  spelunk_result->error = errno ? errno : EIO;
  snprintf(spelunk_result->path, sizeof spelunk_result->path, "%s", path);
  _exit(2);
}

static void write_all(int fd, const char *path, struct bytes content) {
  errno = 0;
  if (fd < 0 || write(fd, content.data, content.len) != (ssize_t)content.len)
    give_up(path);
}

static void write_file(const char *path, struct bytes content) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  write_all(fd, path, content);
  close(fd);
}

static char *terminated(struct bytes bytes, char *room) {
  memcpy(room, bytes.data, bytes.len);
  room[bytes.len] = 0;
  return room;
}

static void use_file(int fd, const char *path, int flags) {
  int opened = open(path, flags);
  if (opened < 0)
    give_up(path);
  dup2(opened, fd);
  close(opened);
}

static void restrict_to(int resource, rlim_t most) {
  struct rlimit limits;
  if (getrlimit(resource, &limits) == 0 && limits.rlim_cur > most) {
    limits.rlim_cur = most;
    setrlimit(resource, &limits);
  }
}

// What the program maps beyond its heap, with what sanitizers add to each object of that.
static void restrict_memory(void) {
  long n_total, n_pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%ld %*d %*d %*d %*d %ld", &n_total, &n_pages) == 2)
    restrict_to(RLIMIT_DATA, (rlim_t)n_pages * 4096 + 4 * heap_limit + ((rlim_t)1 << 30));
  if (file)
    fclose(file);
}

// Where a test is if files can't be protected otherwise.
static const char *own_directory(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s/test", scratch);
  return strcpy(spelunk_reserve(strlen(path) + 1), path);
}

// The kernel was asked before what it can do. Whatever fails now, the program is not run with less.
static void contain(const char *here) {
  unsigned in_force = spelunk_contain(here);
  if (in_force == containment)
    return;
  errno = EPERM;
  give_up(in_force == 0 ? here : in_force & HAS_FILTER ? "Landlock" : "the filter of system calls");
}

// What the program may do, its files and its streams.
static void prepare(void) {
  const char *here = directory;
  if (!(spelunk_containment & HAS_OWN_FILES)) {
    here = own_directory();
    if (mkdir(here, 0700) != 0 || chdir(here) != 0)
      give_up(here);
    if (has_files && !spelunk_copy_files(directory, "."))
      give_up(here);
  }
  use_file(1, "/dev/null", O_WRONLY);
  use_file(2, "/dev/null", O_WRONLY);
  use_file(0, "/dev/null", O_RDONLY);
  contain(here);
  if (current.has_stdin) {
    int fd = memfd_create("stdin", MFD_CLOEXEC);
    write_all(fd, "standard input", current.standard_input);
    lseek(fd, 0, SEEK_SET);
    dup2(fd, 0);
    close(fd);
  }
  for (uint32_t i = 0; i < current.n_files; i++)
    write_file(terminated(current.files[i].name, spelunk_reserve(current.files[i].name.len + 1u)),
               current.files[i].content);
  restrict_to(RLIMIT_CORE, 0);
  restrict_to(RLIMIT_FSIZE, MAX_FILE_SIZE);
  spelunk_give_stack(current.stack_size);
  restrict_memory();
  static char *no_environment[] = {NULL};
  environ = no_environment;
  spelunk_set_inputs(current.inputs, current.n_inputs);
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(spelunk_write_profile);
  if (__llvm_profile_reset_counters)
    __llvm_profile_reset_counters();
  atexit(spelunk_write_profile);
}

// For programs that end by `exit`, the stack is as it was there.
static void at_exit(int status, void *unused) {
  (void)unused;
  (void)status;
  spelunk_note_leaks(NULL, 0, stack_base);
}

static _Noreturn void run_program(void) {
  spelunk_make_objects(&current);
  spelunk_is_allocating_input = 1;
  // Each argument is an object of its own, so that going beyond its end is noticed.
  char **argv = spelunk_reserve((current.n_args + 1) * sizeof *argv);
  for (uint32_t i = 0; i < current.n_args; i++)
    argv[i] = terminated(current.args[i], malloc(current.args[i].len + 1));
  spelunk_is_allocating_input = 0;
  spelunk_watch_heap(heap_limit, finds_leaks);
  on_exit(at_exit, NULL);
  stack_base = __builtin_frame_address(0);
  exit(__real_main((int)current.n_args, argv, environ));
}

static _Noreturn void run_test(void) {
  prepare();
  if (spelunk_n_calls == 0)
    run_program();
  spelunk_watch_heap(heap_limit, finds_leaks);
  spelunk_run_unit(&current);
  exit(0);
}

struct end {
  const char *kind;
  int value;
};

// Not the program's time.
static long real_ms(void) {
  // MemorySanitizer does not see what a system call writes.
  struct timespec now = {0, 0};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// How a child ended, or that it took too long.
static struct end await(pid_t child) {
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  struct timespec rest;
  long start = real_ms();
  int status;
  while (waitpid(child, &status, WNOHANG) != child) {
    long used = real_ms() - start;
    if (used >= time_limit_ms) {
      syscall(SYS_kill, child, SIGKILL);
      waitpid(child, &status, 0);
      return (struct end){"time", 0};
    }
    rest.tv_sec = (time_limit_ms - used) / 1000;
    rest.tv_nsec = (time_limit_ms - used) % 1000 * 1000000;
    sigtimedwait(&ended, NULL, &rest);
  }
  if (WIFSIGNALED(status))
    return (struct end){"signal", WTERMSIG(status)};
  return (struct end){"exit", WEXITSTATUS(status)};
}

// What it has started and left behind ends too: all there is in its namespace, or in its group.
static void clean_up(pid_t child) {
  syscall(SYS_kill, spelunk_containment & HAS_NAMESPACES ? -1 : -child, SIGKILL);
  while (waitpid(-1, NULL, WNOHANG) > 0)
    ;
  if (!(spelunk_containment & HAS_OWN_FILES))
    spelunk_remove_files(own_directory());
}

static void tell(struct end end, FILE *answers) {
  const struct spelunk_result *result = spelunk_result;
  uint32_t n_profile = has_own_profile ? result->n_profile : 0;
  fprintf(answers, "%u %s %d %u %u %u\n", current.id, end.kind, end.value, result->n_log, result->n_report, n_profile);
  fwrite(result->log, 1, result->n_log, answers);
  fwrite(result->report, 1, result->n_report, answers);
  fwrite(result->profile, 1, n_profile, answers);
  // What tests cover is added up here.
  if (!has_own_profile && result->n_profile > 0 &&
      __llvm_profile_check_compatibility(result->profile, result->n_profile) == 0)
    __llvm_profile_merge_from_buffer(result->profile, result->n_profile);
}

static int run_tests(uint32_t number, uint32_t step, FILE *answers) {
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ended, NULL);
  if (__llvm_profile_reset_counters)
    __llvm_profile_reset_counters();
  for (; number < spelunk_n_tests(); number += step) {
    current = spelunk_read_test(number);
    spelunk_result->n_log = spelunk_result->n_report = spelunk_result->n_profile = 0;
    spelunk_watch_loop(current.id);
    fflush(answers);
    pid_t child = _Fork ? _Fork() : fork();
    if (child < 0) {
      perror("fork");
      return 2;
    }
    if (child == 0) {
      setpgid(0, 0);
      sigprocmask(SIG_UNBLOCK, &ended, NULL);
      close(fileno(answers));
      run_test();
    }
    struct end end = await(child);
    clean_up(child);
    if (spelunk_result->error) {
      fprintf(stderr, "cannot use %s: %s\n", spelunk_result->path, strerror(spelunk_result->error));
      return 2;
    }
    spelunk_note_rounds();
    tell(end, answers);
  }
  return 0;
}

int __wrap_main(int argc, char **argv) {
  if (argc < 9)
    return 2;
  spelunk_open_tests(argv[1]);
  scratch = argv[2];
  uint32_t number = (uint32_t)strtoul(argv[3], NULL, 10), step = (uint32_t)strtoul(argv[4], NULL, 10);
  time_limit_ms = strtol(argv[5], NULL, 10);
  heap_limit = strtoull(argv[6], NULL, 10);
  directory = argv[7];
  containment = (unsigned)strtoul(argv[8], NULL, 10);
  for (int i = 9; i < argc; i++) {
    has_files |= strcmp(argv[i], "files") == 0;
    finds_leaks |= strcmp(argv[i], "leaks") == 0;
    spelunk_is_moved |= strcmp(argv[i], "moved") == 0;
    has_own_profile |= strcmp(argv[i], "apart") == 0;
  }
  FILE *answers = fdopen(fcntl(1, F_DUPFD_CLOEXEC, 10), "w");
  if (!answers || !spelunk_share_result() || run_tests(number, step, answers) != 0)
    return 2;
  spelunk_write_profile();
  fprintf(answers, "profile %u\n", spelunk_result->n_profile);
  fwrite(spelunk_result->profile, 1, spelunk_result->n_profile, answers);
  fclose(answers);
  return 0;
}
