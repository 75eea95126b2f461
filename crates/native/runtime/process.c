// The process is alone, as in the VM: what files of the VM's C library need of it, and signals, which reach nobody else.

#include "replay.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NUMBER = 4242 };

// Where the VM is told that a signal may come. None does here.
char __rt_interruptible;

long __sp_getpid(void) { return NUMBER; }

long __sp_sleep(long seconds, long nanoseconds) {
  pass(seconds, nanoseconds);
  return 0;
}

long __sp_clock(int clock, long *seconds, long *nanoseconds) {
  struct timespec now;
  clock_gettime(clock, &now);
  *seconds = now.tv_sec;
  *nanoseconds = now.tv_nsec;
  return 0;
}

// Itself, its group, and all there are.
int kill(pid_t process, int signal) {
  if (process != 0 && process != -1 && process != NUMBER && process != -NUMBER) {
    errno = ESRCH;
    return -1;
  }
  return (int)syscall(SYS_kill, syscall(SYS_getpid), signal);
}

int killpg(pid_t group, int signal) {
  if (group < 0) {
    errno = EINVAL;
    return -1;
  }
  return kill(-group, signal);
}
