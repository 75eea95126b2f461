// What is computed depends on which branches were taken, in registers and in memory; as many paths with partitions as without.
static unsigned table[64];
unsigned char a[8];
int test(void) {
  unsigned n = 0;
  for (int i = 0; i < 8; i++)
    if (a[i] > 100)
      n++;
  for (unsigned i = 0; i < 64; i++)
    table[i] = n * i;
  unsigned hash = 0;
  for (unsigned i = 0; i < 2000; i++)
    hash = hash * 31 + table[i & 63] + n;
  return hash == 77;
}
