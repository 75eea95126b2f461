// The process and the machine as a program sees them: one process, one user, no children, one processor.

#include "rt.h"

#include <sys/resource.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_SIZE = 4096, USER = 1000 };

pid_t getpid(void) { return (pid_t)__sp_getpid(); }
pid_t getppid(void) { return 1; }
pid_t getpgrp(void) { return getpid(); }
pid_t getsid(pid_t process) { return process == 0 ? getpid() : process; }
pid_t gettid(void) { return getpid(); }
uid_t getuid(void) { return USER; }
uid_t geteuid(void) { return USER; }
gid_t getgid(void) { return USER; }
gid_t getegid(void) { return USER; }
char *getlogin(void) { return "user"; }

RT_ALIAS(__getpid, getpid);

// There is no shell to run a command with.
int system(const char *command) { return command ? __rt_fail(ENOSYS) : 0; }

// ---- Waiting

unsigned sleep(unsigned seconds) {
  __sp_sleep(seconds, 0);
  return 0;
}

int usleep(useconds_t microseconds) {
  return (int)__rt_result(__sp_sleep(microseconds / 1000000, (long)(microseconds % 1000000) * 1000));
}

int sched_yield(void) { return 0; }

// ---- Facts

int getpagesize(void) { return PAGE_SIZE; }

long sysconf(int name) {
  switch (name) {
    case _SC_PAGESIZE: return PAGE_SIZE;
    case _SC_NPROCESSORS_CONF: case _SC_NPROCESSORS_ONLN: return 1;
    case _SC_PHYS_PAGES: case _SC_AVPHYS_PAGES: return 1L << 20;
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

int gethostname(char *name, size_t n) {
  static const char host[] = "localhost";
  if (n < sizeof host) return __rt_fail(ENAMETOOLONG);
  memcpy(name, host, sizeof host);
  return 0;
}

int uname(struct utsname *out) {
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
