// Four words anywhere in a text: hundreds of millions of paths, of which few have all four.
#include <assert.h>

static int contains_at(const char *s, int i, const char *t) {
  for (int j = 0; t[j]; j++) {
    if (s[i + j] == 0)
      return 0;
    if (s[i + j] != t[j])
      return 0;
  }
  return 1;
}

static int contains(const char *s, const char *t) {
  for (int i = 0; s[i]; i++)
    if (contains_at(s, i, t))
      return 1;
  return 0;
}

void hwm(const char *s) {
  int a = contains(s, "Hello");
  int b = contains(s, "world");
  int c = contains(s, "at");
  int d = contains(s, "Microsoft!");
  if (a && b && c && d)
    assert(0);
}
