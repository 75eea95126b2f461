// Tries to do what a native run must not be able to do, by system calls, as no function stands in between then. In the VM nothing
// is tried: code is elsewhere there. VICTIM and the like are given on the command line. What was tried in vain ends as the VM
// predicts, with 0.
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <spelunk.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <utime.h>

int main(void);

static int is_native(void) { return (uintptr_t)main < (uintptr_t)1 << 32; }

static long call(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#define CALL_(number, a, b, c, d, e, f, ...) call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define CALL(name, ...) CALL_(SYS_##name, __VA_ARGS__, 0, 0, 0, 0, 0, 0)

// Whoever can do this could do the rest too, and does not try.
static int is_uncontained(void) { return CALL(open, VICTIM "/uncontained", O_WRONLY | O_CREAT, 0666) >= 0; }

static void put(const char *path) {
  long fd = CALL(open, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  CALL(write, fd, "changed", 7);
  CALL(close, fd);
}

// Where such things succeed, it is in a view of the test's own: whoever runs this looks at what is left.
static void change_files(const char *dir) {
  CALL(chdir, dir);
  CALL(truncate, "kept", 0);
  CALL(chmod, "kept", 0777);
  struct utimbuf past = {1, 1};
  CALL(utime, "kept", &past);
  put("kept");
  put("made");
  CALL(mkdir, "made_dir", 0777);
  CALL(symlink, "kept", "made_link");
  CALL(rename, "renamed", "renamed_away");
  CALL(link, "kept", "made_hard_link");
  CALL(unlink, "removed");
  char path[4096];
  snprintf(path, sizeof path, "%s/made_absolutely", dir);
  put(path);
  snprintf(path, sizeof path, "/proc/self/cwd/../%s/made_by_proc", strrchr(dir, '/') + 1);
  put(path);
  snprintf(path, sizeof path, "/proc/%ld/cwd/made_by_parent", CALL(getppid, 0));
  put(path);
}

// As the program starts, before anybody asked for a test.
__attribute__((constructor)) static void begin(void) {
  if (is_native() && !is_uncontained()) {
    put(VICTIM_IN_TMP "/made_by_constructor");
    CALL(kill, VICTIM_PID, SIGKILL);
  }
}

static int writes_to(const char *path) { return CALL(open, path, O_WRONLY) >= 0; }

static int connects(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = PORT};
  address.sin_addr.s_addr = 0x0100007f;
  long fd = CALL(socket, AF_INET, SOCK_STREAM, 0);
  return fd >= 0 && CALL(connect, fd, (struct sockaddr *)&address, sizeof address) == 0;
}

static int connects_locally(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, VICTIM "/socket");
  long fd = CALL(socket, AF_UNIX, SOCK_STREAM, 0);
  return fd >= 0 && CALL(connect, fd, (struct sockaddr *)&address, sizeof address) == 0;
}

// More than a test is given.
static int fills_the_disk(void) {
  static char block[1 << 20];
  const sigset_t mask = {{1L << (SIGXFSZ - 1)}};
  CALL(rt_sigprocmask, SIG_BLOCK, &mask, 0, 8);
  long total = 0;
  for (int i = 0; i < 40; i++) {
    char name[32];
    snprintf(name, sizeof name, "large%d", i);
    long fd = CALL(open, name, O_WRONLY | O_CREAT, 0600);
    for (long count; total < 1L << 30 && fd >= 0 && (count = CALL(write, fd, block, sizeof block)) > 0;)
      total += count;
    CALL(close, fd);
  }
  return total > MAX_WRITTEN;
}

static int executes(void) {
  const char *const args[] = {"touch", VICTIM "/made_by_exec", 0}, *const environment[] = {0};
  return CALL(execve, "/bin/touch", args, environment) == 0;
}

static int starts_processes(void) {
  int n_started = 0;
  for (int i = 0; i < 1000; i++) {
    long child = CALL(fork, 0);
    if (child == 0)
      CALL(pause, 0);
    n_started += child > 0;
  }
  return n_started > 0;
}

static int attempt(int which) {
  switch (which) {
  case 1: change_files(VICTIM); return 0;
  case 2: change_files(VICTIM_IN_TMP); return 0;
  case 3: CALL(kill, VICTIM_PID, SIGKILL); return 0;
  case 4: return CALL(kill, -1, 0) == 0;
  case 5: CALL(kill, CALL(getppid, 0), SIGKILL); return 0;
  case 6: CALL(setpgid, 0, CALL(getppid, 0)); CALL(kill, 0, SIGCONT); return 0;
  case 7: return CALL(ptrace, PTRACE_ATTACH, VICTIM_PID, 0, 0) == 0 || CALL(ptrace, PTRACE_ATTACH, CALL(getppid, 0), 0, 0) == 0;
  case 8: return connects();
  case 9: return connects_locally();
  case 10: return fills_the_disk();
  case 11: return starts_processes();
  case 12: return executes();
  case 13: return writes_to("/proc/sys/kernel/core_pattern") || writes_to("/proc/sysrq-trigger");
  case 14: return writes_to("/proc/1/mem") || writes_to("/proc/1/oom_score_adj");
  case 15: return CALL(mmap, 0, 1L << 37, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) > 0;
  case 16: return CALL(mount, "tmpfs", "/tmp", "tmpfs", 0, "") == 0 || CALL(unshare, 0x10000000) == 0 || CALL(chroot, "/tmp") == 0;
  case 17: return CALL(mknod, "device", S_IFBLK | 0600, DISK) == 0 && CALL(open, "device", O_RDWR) >= 0;
  case 18: return CALL(sethostname, "owned", 5) == 0;
  default: return 0;
  }
}

int main(void) {
  int which = spelunk_int("which");
  if (which < 0 || which > 18)
    return 0;
  // One test for each.
  for (int i = 0; i < 18; i++)
    if (which == i)
      break;
  if (!is_native())
    return 0;
  return is_uncontained() ? 99 : attempt(which);
}
