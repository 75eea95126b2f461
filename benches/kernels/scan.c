// Words of a text counted by a hand-written scanner, N rounds: a byte at a time, a branch for each.

#include <stdio.h>
#include <stdlib.h>

static const char text[] =
    "In the lowest gallery the water stood still; nobody had come this far since 1931.\n"
    "They left 12 metres of rope, three candles and a tin of sardines at the second ledge.\n"
    "\"Mind the edge,\" she said, and the echo answered -- twice, then once more, then not at all.\n";

struct counts {
  unsigned long words, numbers, lines, capitals, other;
};

static void scan(const char *at, struct counts *counts) {
  while (*at) {
    if (*at >= '0' && *at <= '9') {
      counts->numbers++;
      while (*at >= '0' && *at <= '9')
        at++;
    } else if ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z')) {
      if (*at <= 'Z')
        counts->capitals++;
      counts->words++;
      while ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z'))
        at++;
    } else {
      if (*at == '\n')
        counts->lines++;
      else
        counts->other++;
      at++;
    }
  }
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 0;
  struct counts counts = {0};
  for (int i = 0; i < rounds; i++)
    scan(text, &counts);
  printf("%lu %lu %lu %lu %lu\n", counts.words, counts.numbers, counts.lines, counts.capitals, counts.other);
  return 0;
}
