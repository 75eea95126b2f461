// What the world outside says is one answer of many.
// stopped: incomplete
// ledger: `rand` gives one sequence of values
// ledger: the current directory is that of this campaign
// ledger: `/etc/hostname` is as this machine has it
// ledger: `/no/such/file` is as this machine has it
// ledger: `/proc/self/exe` is as this machine has it
// ledger: `/tmp` is as this machine has it
// ledger: `HOME` is set in the environment of every run, or in none
// ledger: time begins in September 2001 in every run
// ledger: `uname` has one result in all runs
// ledger: `getpid` has one result in all runs
#include <dirent.h>
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  char path[4096];
  struct stat status;
  struct utsname machine;
  switch (klee_range(0, 10, "which")) {
  case 0:
    return rand() == 12345;
  case 1:
    return !getcwd(path, sizeof path);
  case 2:
    return open_memstream(&(char *){0}, &(size_t){0}) && !fopen("/etc/hostname", "r");
  case 3:
    return stat("/no/such/file", &status) == 0;
  case 4:
    return readlink("/proc/self/exe", path, sizeof path) < 0;
  case 5:
    return !opendir("/tmp");
  case 6:
    return getenv("HOME") == path;
  case 7:
    return time(NULL) == 0;
  case 8:
    return uname(&machine);
  default:
    return getpid() == 0;
  }
}
