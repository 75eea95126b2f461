// A size such as "64k" or "2m" as a number of blocks, with a limit that a caller may set. One input breaks it.
#include <spelunk.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 512

static unsigned parse(const char *text) {
  unsigned number = 0;
  while (*text >= '0' && *text <= '9')
    number = number * 10 + (*text++ - '0');
  switch (*text) {
  case 'k':
    return number * 1024;
  case 'm':
    return number * 1024 * 1024;
  default:
    return number;
  }
}

// How many of `used` bytes fit in each block of a file of this size.
static unsigned bytes_per_block(unsigned used, const char *size) {
  unsigned n_blocks = parse(size) / BLOCK;
  if (strlen(size) == 0)
    return 0;
  return used / n_blocks;
}

int main(void) {
  char size[5];
  spelunk_make_symbolic(size, sizeof size, "size");
  size[4] = '\0';
  printf("%u\n", bytes_per_block(100000, size));
  return 0;
}
