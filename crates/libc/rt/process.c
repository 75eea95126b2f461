// The process and the machine as a program sees them: one process, one user, no children, one processor.

#include "rt.h"

#include <sys/resource.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_SIZE = 4096 };

#define ONE_RESULT(type, name, result) \
  type name(void) {                    \
    RT_ONE_RESULT(#name);              \
    return result;                     \
  }

ONE_RESULT(pid_t, getpid, (pid_t)__sp_getpid())
ONE_RESULT(pid_t, getppid, 1)
ONE_RESULT(pid_t, getpgrp, (pid_t)__sp_getpid())
ONE_RESULT(pid_t, gettid, (pid_t)__sp_getpid())
ONE_RESULT(char *, getlogin, "user")

RT_ALIAS(__getpid, getpid);

static pid_t of_process(pid_t process) {
  if (process != 0 && process != (pid_t)__sp_getpid()) return __rt_fail(ESRCH);
  return (pid_t)__sp_getpid();
}

pid_t getsid(pid_t process) {
  RT_ONE_RESULT("getsid");
  return of_process(process);
}

pid_t getpgid(pid_t process) {
  RT_ONE_RESULT("getpgid");
  return of_process(process);
}

// The process leads its session and its group already.
pid_t setsid(void) { return __rt_fail(EPERM); }
int setpgid(pid_t process, pid_t group) {
  if (group < 0) return __rt_fail(EINVAL);
  if (of_process(process) < 0) return -1;
  return __rt_fail(EPERM);
}

int getlogin_r(char *buf, size_t n) {
  RT_ONE_RESULT("getlogin_r");
  if (n < sizeof "user") return ERANGE;
  memcpy(buf, "user", sizeof "user");
  return 0;
}

// ---- Children, of which there are none

static pid_t wait_with(int options) {
  return __rt_fail(options & ~(WNOHANG | WUNTRACED | WCONTINUED | __WNOTHREAD | __WCLONE | __WALL) ? EINVAL : ECHILD);
}

pid_t waitpid(pid_t process, int *status, int options) {
  (void)process;
  (void)status;
  return wait_with(options);
}

pid_t wait(int *status) {
  (void)status;
  return __rt_fail(ECHILD);
}

pid_t wait4(pid_t process, int *status, int options, struct rusage *usage) {
  (void)process;
  (void)status;
  (void)usage;
  return wait_with(options);
}

pid_t wait3(int *status, int options, struct rusage *usage) {
  (void)status;
  (void)usage;
  return wait_with(options);
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int options) {
  (void)id;
  (void)info;
  return __rt_fail(type > P_PIDFD || !(options & (WEXITED | WSTOPPED | WCONTINUED)) ? EINVAL : ECHILD);
}

// ---- Waiting

unsigned sleep(unsigned seconds) {
  __sp_sleep(seconds, 0);
  return 0;
}

int usleep(useconds_t microseconds) {
  return (int)__rt_result(__sp_sleep(microseconds / 1000000, (long)(microseconds % 1000000) * 1000));
}

unsigned alarm(unsigned seconds) {
  static unsigned left;
  unsigned before = left;
  RT_NOTE(RT_ONE_ANSWER, "alarm", "never sends its signal");
  left = seconds;
  __rt_interruptible = 1;
  return before;
}

int sched_yield(void) { return 0; }

// ---- Facts

int getpagesize(void) { return PAGE_SIZE; }

long sysconf(int name) {
  switch (name) {
    case _SC_PAGESIZE: return PAGE_SIZE;
    case _SC_NPROCESSORS_CONF: case _SC_NPROCESSORS_ONLN: RT_ONE_RESULT("sysconf"); return 1;
    case _SC_PHYS_PAGES: case _SC_AVPHYS_PAGES: RT_ONE_RESULT("sysconf"); return 1L << 20;
    case _SC_CLK_TCK: return 100;
    case _SC_OPEN_MAX: return 1024;
    case _SC_ARG_MAX: return 2097152;
    case _SC_LINE_MAX: return 2048;
    case _SC_IOV_MAX: return 1024;
    case _SC_HOST_NAME_MAX: return 64;
    case _SC_LOGIN_NAME_MAX: return 256;
    case _SC_TTY_NAME_MAX: return 32;
    case _SC_NGROUPS_MAX: return 65536;
    case _SC_STREAM_MAX: return 16;
    case _SC_GETPW_R_SIZE_MAX: case _SC_GETGR_R_SIZE_MAX: return 1024;
    case _SC_VERSION: case _SC_MONOTONIC_CLOCK: case _SC_MAPPED_FILES: return 200809;
    case _SC_LEVEL1_DCACHE_LINESIZE: return 64;
    // Known limits without a fixed value.
    case _SC_TZNAME_MAX: case _SC_SYMLOOP_MAX: case _SC_CHILD_MAX: return -1;
    default: return __rt_fail(EINVAL);
  }
}

RT_ALIAS(__sysconf, sysconf);

static long path_limit(int name) {
  switch (name) {
    case _PC_NAME_MAX: return 255;
    case _PC_PATH_MAX: case _PC_PIPE_BUF: return 4096;
    case _PC_MAX_CANON: case _PC_MAX_INPUT: return 255;
    case _PC_NO_TRUNC: case _PC_CHOWN_RESTRICTED: return 1;
    case _PC_VDISABLE: return 0;
    case _PC_FILESIZEBITS: return 64;
    default: return -1;
  }
}

long pathconf(const char *path, int name) {
  (void)path;
  RT_ONE_RESULT("pathconf");
  return path_limit(name);
}

long fpathconf(int fd, int name) {
  (void)fd;
  RT_ONE_RESULT("fpathconf");
  return path_limit(name);
}

int gethostname(char *name, size_t n) {
  static const char host[] = "localhost";
  RT_ONE_RESULT("gethostname");
  if (n < sizeof host) return __rt_fail(ENAMETOOLONG);
  memcpy(name, host, sizeof host);
  return 0;
}

int getdomainname(char *name, size_t n) {
  static const char domain[] = "(none)";
  RT_ONE_RESULT("getdomainname");
  memcpy(name, domain, n < sizeof domain ? n : sizeof domain);
  return 0;
}

int getdtablesize(void) { return 1024; }

int getloadavg(double averages[], int n) {
  RT_ONE_RESULT("getloadavg");
  if (n > 3) n = 3;
  for (int i = 0; i < n; i++) averages[i] = 0;
  return n;
}

int getpriority(__priority_which_t which, id_t who) {
  (void)who;
  return which <= PRIO_USER ? 0 : __rt_fail(EINVAL);
}

int setpriority(__priority_which_t which, id_t who, int priority) {
  (void)who;
  (void)priority;
  return which <= PRIO_USER ? 0 : __rt_fail(EINVAL);
}

int nice(int increment) {
  if (increment < 0) return __rt_fail(EPERM);
  return increment > 19 ? 19 : increment;
}

int uname(struct utsname *out) {
  RT_ONE_RESULT("uname");
  memset(out, 0, sizeof *out);
  strcpy(out->sysname, "Linux");
  strcpy(out->nodename, "localhost");
  strcpy(out->release, "6.1.0");
  strcpy(out->version, "#1 SMP");
  strcpy(out->machine, "x86_64");
  strcpy(out->domainname, "(none)");
  return 0;
}

int getrusage(enum __rusage_who who, struct rusage *out) {
  long seconds, nanoseconds;
  if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD) return __rt_fail(EINVAL);
  memset(out, 0, sizeof *out);
  if (who == RUSAGE_CHILDREN) return 0;
  if (__rt_result(__sp_clock(CLOCK_PROCESS_CPUTIME_ID, &seconds, &nanoseconds)) < 0) return -1;
  out->ru_utime.tv_sec = seconds;
  out->ru_utime.tv_usec = nanoseconds / 1000;
  return 0;
}

int getrlimit(enum __rlimit_resource resource, struct rlimit *out) {
  (void)resource;
  RT_ONE_RESULT("getrlimit");
  *out = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
  return 0;
}

int setrlimit(enum __rlimit_resource resource, const struct rlimit *limit) {
  (void)resource;
  (void)limit;
  return 0;
}

RT_ALIAS(getrlimit64, getrlimit);
RT_ALIAS(setrlimit64, setrlimit);

clock_t times(struct tms *out) {
  long seconds, nanoseconds;
  if (__rt_result(__sp_clock(CLOCK_PROCESS_CPUTIME_ID, &seconds, &nanoseconds)) < 0) return -1;
  memset(out, 0, sizeof *out);
  out->tms_utime = seconds * 100 + nanoseconds / 10000000;
  if (__rt_result(__sp_clock(CLOCK_MONOTONIC, &seconds, &nanoseconds)) < 0) return -1;
  return seconds * 100 + nanoseconds / 10000000;
}
