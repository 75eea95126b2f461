// What a program has made itself is no answer of the world, and neither is a new file.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void find_nothing(void) {
  struct stat status;
  char path[8];
  assert(open("", O_RDONLY) < 0 && errno == ENOENT);
  assert(!fopen("", "r") && !fopen("", "w"));
  assert(stat("", &status) < 0 && access("", F_OK) < 0 && chdir("") < 0 && unlink("") < 0 && mkdir("", 0700) < 0);
  errno = 0;
  assert(readlink("", path, sizeof path) < 0 && rename("", "x") < 0 && errno == ENOENT);
}

int main(void) {
  struct stat status;
  char name[] = "spelunk-XXXXXX";
  FILE *file = fopen("spelunk-own", "w");
  assert(file && fputc(klee_int("c"), file) != EOF && fclose(file) == 0);
  assert(stat("spelunk-own", &status) == 0 && status.st_size == 1 && access("spelunk-own", R_OK) == 0);
  assert(unlink("spelunk-own") == 0 && stat("spelunk-own", &status) < 0);
  assert(tmpfile() && close(mkstemp(name)) == 0 && unlink(name) == 0);
  assert(setenv("SPELUNK_OWN", "1", 1) == 0 && getenv("SPELUNK_OWN"));
  find_nothing();
  return 0;
}
