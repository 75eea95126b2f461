// Allocations whose size is an input, accessed at places that are inputs too.
//
// trial: entry=closed expect=clean paths=2
// trial: entry=past expect=out-of-bounds at=past paths=2
// trial: entry=middle expect=out-of-bounds at=middle paths=3
// trial: entry=pick expect=clean paths=3
// trial: entry=pick_number expect=assert at=twelve paths=4
// trial: entry=mostly_ones expect=clean paths=3
// trial: entry=unset expect=uninitialised at=unset
// trial: entry=large expect=clean paths=4 says=every_path_was_explored_for_allocations_of_up_to_4096_bytes
// trial: entry=keep expect=null-deref at=keep says=every_path_was_explored_for_allocations_of_up_to_4096_bytes
#include <assert.h>
#include <stdlib.h>
#include <string.h>

char closed(unsigned n) {
  if (n > 100)
    return 1;
  char *s = malloc(n + 1);
  s[n] = 0;
  char last = s[n];
  free(s);
  return last;
}

void past(unsigned n) {
  if (n > 100)
    return;
  char *s = malloc(n + 1);
  s[n + 1] = 0; //~ past
  free(s);
}

void middle(unsigned n) {
  if (n > 1000)
    return;
  char *s = malloc(n);
  s[n / 2] = 1; //~ middle
  free(s);
}

int pick(unsigned n, unsigned k) {
  if (n > 1000)
    return -1;
  int *all = calloc(n, sizeof *all);
  int one = 0;
  if (k < n) {
    all[k] = 7;
    one = all[k];
  }
  free(all);
  return one;
}

int pick_number(unsigned n, unsigned k) {
  if (n > 1000 || k >= n)
    return -1;
  int *all = calloc(n, sizeof *all);
  all[k] = 12;
  assert(all[n / 2] != 12); //~ twelve
  free(all);
  return 0;
}

int mostly_ones(unsigned n, unsigned k) {
  if (n == 0 || n > 1000)
    return -1;
  unsigned char *all = malloc(n);
  memset(all, 1, n);
  all[k % n] = 2;
  int last = all[n - 1];
  free(all);
  return last == 2;
}

int unset(unsigned n, unsigned k, unsigned other) {
  if (n > 1000 || k >= n || other >= n)
    return -1;
  char *all = malloc(n);
  all[k] = 3;
  if (all[other] != 3) //~ unset
    free(all);
  return 0;
}

int large(unsigned n) {
  if (n > 1000000)
    return -1;
  char *area = malloc(n);
  if (n > 0)
    area[0] = 1;
  free(area);
  return n == 5000;
}

struct keeper {
  char *room;
  size_t size;
};

/* The largest size that there is memory for, whatever else the run has. */
void keep(struct keeper *k, size_t n) {
  k->room = malloc(n); //~ keep
  k->size = n;
}
