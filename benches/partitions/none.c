// Nothing that is computed depends on a branch on input; a sum makes all inputs belong together, so that there are as many paths with
// partitions as without.
static unsigned table[256];
unsigned char a[8];
static volatile int seen;
int test(void) {
  for (unsigned i = 0; i < 256; i++) {
    unsigned c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    table[i] = c;
  }
  unsigned crc = 0, sum = 0;
  for (int i = 0; i < 8; i++) {
    sum += a[i];
    if (a[i] > 100)
      (void)seen;
  }
  for (unsigned i = 0; i < 1000; i++)
    crc = crc >> 8 ^ table[(crc ^ i) & 255];
  return (sum == 1500) + (crc == 0);
}
