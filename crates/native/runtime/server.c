// Runs tests one after another, each in a process and a directory of its own, and says how each ended.
//
// The linker calls this instead of the program's `main`. Arguments: the file of tests, a directory to work in, the first
// test and how many to go on after each, milliseconds and heap bytes that each may take, a directory whose files each finds
// copies of (empty: none), `leaks` to look for those, `moved` to have objects elsewhere than usual, and `apart` to have a
// profile of each test.

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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int __real_main(int argc, char **argv, char **envp) __attribute__((weak));
void __sanitizer_set_report_path(const char *path) __attribute__((weak));
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
int __llvm_profile_write_file(void) __attribute__((weak));
void __llvm_profile_set_filename(const char *path) __attribute__((weak));

extern char **environ;

// A file larger than this is a runaway.
#define MAX_FILE_SIZE ((rlim_t)64 << 20)
#define STACK_SIZE ((rlim_t)8 << 20)

static const char *directory;
static long time_limit_ms;
static uint64_t heap_limit;
static int finds_leaks;
static const char *files_from;
static int has_own_profile;
static struct test current;
// Shared with the process of the test.
static struct {
  int error;
  char path[1024];
} *problem;
static void *stack_base;

static char *path_of(const char *suffix) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%u%s", directory, current.id, suffix);
  char *copy = spelunk_reserve(strlen(path) + 1);
  return strcpy(copy, path);
}

// A test that can't be prepared says nothing about the program: the server ends, with the reason.
static _Noreturn void give_up(const char *path) {
  problem->error = errno ? errno : EIO;
  snprintf(problem->path, sizeof problem->path, "%s", path);
  _exit(2);
}

static void write_file(const char *path, struct bytes content) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  errno = 0;
  if (fd < 0 || write(fd, content.data, content.len) != (ssize_t)content.len)
    give_up(path);
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

static void write_profile(void) {
  if (__llvm_profile_write_file)
    __llvm_profile_write_file();
}

// The program's own directory, files and streams.
static void prepare(void) {
  spelunk_open_log(path_of(".log"));
  if (__sanitizer_set_report_path)
    __sanitizer_set_report_path(path_of(".report"));
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(write_profile);
  if (has_own_profile && __llvm_profile_set_filename)
    __llvm_profile_set_filename(path_of(".profraw"));
  const char *own = path_of(".dir");
  if (mkdir(own, 0700) != 0 || chdir(own) != 0)
    give_up(own);
  if (*files_from && !spelunk_copy_files(files_from, "."))
    give_up(own);
  const char *input = "/dev/null";
  if (current.has_stdin) {
    input = path_of(".stdin");
    write_file(input, current.standard_input);
  }
  for (uint32_t i = 0; i < current.n_files; i++)
    write_file(terminated(current.files[i].name, spelunk_reserve(current.files[i].name.len + 1u)),
               current.files[i].content);
  use_file(0, input, O_RDONLY);
  use_file(1, "/dev/null", O_WRONLY);
  use_file(2, "/dev/null", O_WRONLY);
  restrict_to(RLIMIT_CORE, 0);
  restrict_to(RLIMIT_FSIZE, MAX_FILE_SIZE);
  restrict_to(RLIMIT_STACK, STACK_SIZE);
  static char *no_environment[] = {NULL};
  environ = no_environment;
  spelunk_set_inputs(current.inputs, current.n_inputs);
}

// For programs that end by `exit`, the stack is as it was there.
static void at_exit(int status, void *unused) {
  (void)unused;
  (void)status;
  spelunk_note_leaks(NULL, 0, stack_base);
}

static _Noreturn void run_program(void) {
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

// How a child ended, or that it took too long.
static void await(pid_t child, FILE *answers) {
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  struct timespec start, now, rest;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int status;
  for (;;) {
    if (waitpid(child, &status, WNOHANG) == child)
      break;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long used = (now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000;
    if (used >= time_limit_ms) {
      kill(-child, SIGKILL);
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      fprintf(answers, "%u time 0\n", current.id);
      return;
    }
    rest.tv_sec = (time_limit_ms - used) / 1000;
    rest.tv_nsec = (time_limit_ms - used) % 1000 * 1000000;
    sigtimedwait(&ended, NULL, &rest);
  }
  // What it has started and left behind ends too.
  kill(-child, SIGKILL);
  if (WIFSIGNALED(status))
    fprintf(answers, "%u signal %d\n", current.id, WTERMSIG(status));
  else
    fprintf(answers, "%u exit %d\n", current.id, WEXITSTATUS(status));
}

int __wrap_main(int argc, char **argv) {
  if (argc < 8)
    return 2;
  spelunk_open_tests(argv[1]);
  directory = argv[2];
  uint32_t number = (uint32_t)strtoul(argv[3], NULL, 10), step = (uint32_t)strtoul(argv[4], NULL, 10);
  time_limit_ms = strtol(argv[5], NULL, 10);
  heap_limit = strtoull(argv[6], NULL, 10);
  files_from = argv[7];
  for (int i = 8; i < argc; i++) {
    finds_leaks |= strcmp(argv[i], "leaks") == 0;
    spelunk_is_moved |= strcmp(argv[i], "moved") == 0;
    has_own_profile |= strcmp(argv[i], "apart") == 0;
  }
  problem = mmap(NULL, sizeof *problem, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (problem == MAP_FAILED)
    return 2;

  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ended, NULL);
  FILE *answers = fdopen(fcntl(1, F_DUPFD_CLOEXEC, 10), "w");
  if (!answers)
    return 2;
  for (; number < spelunk_n_tests(); number += step) {
    current = spelunk_read_test(number);
    fflush(answers);
    pid_t child = fork();
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
    await(child, answers);
    if (problem->error) {
      fprintf(stderr, "cannot write %s: %s\n", problem->path, strerror(problem->error));
      return 2;
    }
    spelunk_remove_files(path_of(".dir"));
  }
  fclose(answers);
  return 0;
}
