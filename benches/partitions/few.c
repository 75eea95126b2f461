// Much is computed that depends on no input; all inputs belong together, so that there are as many paths with partitions as without.
static unsigned table[256];
unsigned char a[8];
int test(void) {
  for (unsigned i = 0; i < 256; i++) {
    unsigned c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    table[i] = c;
  }
  unsigned crc = 0;
  for (unsigned i = 0; i < 1000; i++)
    crc = crc >> 8 ^ table[(crc ^ i) & 255];
  int n = 0;
  for (int i = 0; i < 8; i++)
    if (a[i] > 100)
      n++;
  return n == 3 ? 1 : crc == 0;
}
