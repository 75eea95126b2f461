// Listings of directories, chosen and sorted.

#include "rt.h"

#include <dirent.h>

int alphasort(const struct dirent **a, const struct dirent **b) { return strcoll((*a)->d_name, (*b)->d_name); }
int versionsort(const struct dirent **a, const struct dirent **b) { return strverscmp((*a)->d_name, (*b)->d_name); }

struct listing {
  struct dirent **entries;
  size_t count;
};

static int append(struct listing *listing, const struct dirent *entry) {
  struct dirent **grown = realloc(listing->entries, (listing->count + 1) * sizeof *grown);
  struct dirent *copy = grown ? malloc(sizeof *copy) : NULL;
  if (grown) listing->entries = grown;
  if (!copy) return -1;
  memcpy(copy, entry, sizeof *copy);
  grown[listing->count++] = copy;
  return 0;
}

static int give_up(struct listing *listing) {
  for (size_t i = 0; i < listing->count; i++) free(listing->entries[i]);
  free(listing->entries);
  return __rt_fail(ENOMEM);
}

int scandir(const char *path, struct dirent ***entries, int (*choose)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
  struct listing listing = {NULL, 0};
  struct dirent *entry;
  int failed = 0;
  DIR *directory = opendir(path);
  if (!directory) return -1;
  while (!failed && (entry = readdir(directory)) != NULL) {
    if (!choose || choose(entry)) failed = append(&listing, entry) < 0;
  }
  closedir(directory);
  if (failed) return give_up(&listing);
  if (compare && listing.count > 0) {
    qsort(listing.entries, listing.count, sizeof *listing.entries, (int (*)(const void *, const void *))compare);
  }
  *entries = listing.entries;
  return (int)listing.count;
}

RT_ALIAS(scandir64, scandir);
RT_ALIAS(alphasort64, alphasort);
