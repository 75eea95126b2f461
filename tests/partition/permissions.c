// Inserts a segment into a table of permissions, as a kernel with fine-grained protection does: entries in use are compared with it one
// by one until one fits, so they belong to the segment's base.
// paths: 15
// options: --entry insert --global table
#ifndef N
#define N 3
#endif
struct entry {
  unsigned char from, rights;
} table[N];
int n_merged, n_new;
int insert(unsigned char base, unsigned char rights) {
  for (int i = 0; i < N; i++) {
    if (table[i].rights == 0)
      continue;
    if (table[i].from == base) {
      n_merged++;
      table[i].rights = rights;
      return i;
    }
  }
  n_new++;
  return N;
}
