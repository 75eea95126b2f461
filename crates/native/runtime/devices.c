// Devices of random bytes, which are input: the program opens a file that holds what the test says. It calls these by the names
// of the C library.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "inputs.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int random_bytes = -1;

static int is_random(const char *path) {
  return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

// All descriptors share one file, and so its position: whoever reads gets what comes next.
static int open_random(void) {
  if (random_bytes < 0) {
    random_bytes = memfd_create("random", MFD_CLOEXEC);
    spelunk_write_random(random_bytes);
    lseek(random_bytes, 0, SEEK_SET);
  }
  return dup(random_bytes);
}

int spelunk_open(const char *path, int flags, int mode) {
  return is_random(path) ? open_random() : open(path, flags, mode);
}

int spelunk_openat(int directory, const char *path, int flags, int mode) {
  return is_random(path) ? open_random() : openat(directory, path, flags, mode);
}

// Nobody reads ahead, which would take bytes away from others.
FILE *spelunk_fopen(const char *path, const char *mode) {
  if (!is_random(path))
    return fopen(path, mode);
  FILE *stream = fdopen(open_random(), mode);
  if (stream)
    setvbuf(stream, NULL, _IONBF, 0);
  return stream;
}

int spelunk_fstat(int fd, struct stat *status) {
  struct stat ours;
  int result = fstat(fd, status);
  if (result == 0 && random_bytes >= 0 && fstat(random_bytes, &ours) == 0 && ours.st_ino == status->st_ino &&
      ours.st_dev == status->st_dev) {
    memset(status, 0, sizeof *status);
    status->st_mode = S_IFCHR | 0600;
    status->st_nlink = 1;
    status->st_blksize = 4096;
  }
  return result;
}

int spelunk_open64(const char *path, int flags, int mode) { return spelunk_open(path, flags, mode); }
int spelunk_openat64(int directory, const char *path, int flags, int mode) {
  return spelunk_openat(directory, path, flags, mode);
}
FILE *spelunk_fopen64(const char *path, const char *mode) { return spelunk_fopen(path, mode); }
int spelunk_fstat64(int fd, struct stat *status) { return spelunk_fstat(fd, status); }
