// The directory of a test: copies of the files that the VM could read, and their end.

#include "replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
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

// Hidden entries are a tool's, such as the history of the source.
static int is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }

// What an earlier campaign has left is nothing that a program reads, and there may be a lot of it.
static int is_campaign(const char *dir) {
  char path[4096];
  snprintf(path, sizeof path, "%s/recipe.json", dir);
  return access(path, F_OK) == 0;
}

static int copy_all(const char *from, const char *to, unsigned depth, struct progress *progress);

static int copy_one(const char *from, const char *to, unsigned depth, struct progress *progress) {
  struct stat info;
  if (progress->n_entries >= MAX_ENTRIES || stat(from, &info) != 0)
    return 1;
  progress->n_entries++;
  if (S_ISDIR(info.st_mode) && depth < MAX_DEPTH && !is_campaign(from))
    return mkdir(to, 0700) == 0 && copy_all(from, to, depth + 1, progress);
  if (!S_ISREG(info.st_mode) || info.st_size > MAX_FILE || progress->n_bytes + (size_t)info.st_size > MAX_TOTAL)
    return 1;
  progress->n_bytes += (size_t)info.st_size;
  return copy_file(from, to, info.st_mode & 0777);
}

static int copy_all(const char *from, const char *to, unsigned depth, struct progress *progress) {
  struct dirent **entries;
  int n_entries = scandir(from, &entries, is_shown, alphasort);
  int is_well = 1;
  for (int i = 0; i < n_entries; i++) {
    char source[4096], target[4096];
    snprintf(source, sizeof source, "%s/%s", from, entries[i]->d_name);
    snprintf(target, sizeof target, "%s/%s", to, entries[i]->d_name);
    is_well = is_well && copy_one(source, target, depth, progress);
    free(entries[i]);
  }
  if (n_entries >= 0)
    free(entries);
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
