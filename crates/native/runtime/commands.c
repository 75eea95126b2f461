// Commands and random bytes, which are inputs: nothing is run. The program calls these by the names of the C library.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "inputs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int take_status(void) {
  int status;
  spelunk_stub_area(&status, sizeof status);
  if (status == -1)
    errno = ECHILD;
  return status;
}

// The command must be text, and sanitizers look.
static void check_command(const char *command) {
  static volatile size_t length;
  length = strlen(command);
}

int spelunk_system(const char *command) {
  if (!command)
    return 1;
  check_command(command);
  return take_status();
}

FILE *spelunk_popen(const char *command, const char *mode) {
  signed char length;
  char output[8];
  int ends[2];
  if ((mode[0] != 'r' && mode[0] != 'w') || (mode[1] && (mode[1] != 'e' || mode[2]))) {
    errno = EINVAL;
    return NULL;
  }
  check_command(command);
  spelunk_stub_area(&length, 1);
  if (length < 0) {
    errno = EMFILE;
    return NULL;
  }
  if (mode[0] == 'w')
    return fdopen(memfd_create("command", 0), "w");
  spelunk_stub_area(output, sizeof output);
  if (pipe(ends) != 0)
    return NULL;
  if (length > (int)sizeof output || write(ends[1], output, (size_t)length) != length)
    return NULL;
  close(ends[1]);
  return fdopen(ends[0], "r");
}

int spelunk_pclose(FILE *stream) {
  fclose(stream);
  return take_status();
}

long spelunk_getrandom(void *area, size_t size, unsigned flags) {
  if (flags & ~7u) {
    errno = EINVAL;
    return -1;
  }
  spelunk_stub_area(area, size);
  return (long)size;
}

int spelunk_getentropy(void *area, size_t size) {
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  spelunk_stub_area(area, size);
  return 0;
}

void spelunk_arc4random_buf(void *area, size_t size) { spelunk_stub_area(area, size); }

uint32_t spelunk_arc4random(void) {
  uint32_t value;
  spelunk_stub_area(&value, sizeof value);
  return value;
}

uint32_t spelunk_arc4random_uniform(uint32_t bound) {
  uint32_t value = spelunk_arc4random();
  return bound < 2 ? 0 : value % bound;
}
