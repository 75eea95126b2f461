// The directory of a test: copies of the files that the VM could read, and their end.

#include "replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What is larger is hardly read by a test, and there may be a thousand of them.
enum { MAX_DEPTH = 3, MAX_ENTRIES = 500, MAX_FILE = 1 << 20, MAX_TOTAL = 8 << 20 };

struct progress {
  unsigned n_entries;
  size_t n_bytes;
};

static int copy_file(const char *from, const char *to, mode_t mode) {
  static char buffer[1 << 16];
  int in = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (in < 0)
    return 1; // As good as not there: the program could not have read it either.
  int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode | 0200);
  ssize_t count = 0;
  while (out >= 0 && (count = read(in, buffer, sizeof buffer)) > 0)
    if (write(out, buffer, (size_t)count) != count)
      break;
  int copied = out >= 0 && count <= 0;
  close(in);
  if (out >= 0)
    close(out);
  return copied;
}

static int copy_all(const char *from, const char *to, unsigned depth, struct progress *progress) {
  DIR *dir = opendir(from);
  int is_well = 1;
  for (struct dirent *entry; dir && is_well && (entry = readdir(dir));) {
    char source[4096], target[4096];
    struct stat info;
    // Hidden ones are a tool's, such as the history of the source.
    if (entry->d_name[0] == '.' || progress->n_entries >= MAX_ENTRIES)
      continue;
    snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
    snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
    if (stat(source, &info) != 0)
      continue;
    progress->n_entries++;
    if (S_ISDIR(info.st_mode) && depth < MAX_DEPTH) {
      is_well = mkdir(target, 0700) == 0 && copy_all(source, target, depth + 1, progress);
    } else if (S_ISREG(info.st_mode) && info.st_size <= MAX_FILE && progress->n_bytes + info.st_size <= MAX_TOTAL) {
      progress->n_bytes += (size_t)info.st_size;
      is_well = copy_file(source, target, info.st_mode & 0777);
    }
  }
  if (dir)
    closedir(dir);
  return is_well;
}

int spelunk_copy_files(const char *from, const char *to) {
  struct progress progress = {0, 0};
  errno = 0;
  return copy_all(from, to, 0, &progress);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at) {
  (void)info, (void)kind, (void)at;
  return remove(path);
}

void spelunk_remove_files(const char *dir) { nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS); }
