// Most of what is computed carries expressions.
unsigned char a[8];
int test(void) {
  unsigned n = 0, hash = 0;
  for (unsigned i = 0; i < 400; i++)
    hash = hash * 31 + (a[i & 7] ^ i);
  for (int i = 0; i < 8; i++)
    if (a[i] > 100)
      n++;
  return n == 3 ? (int)(hash & 1) : 0;
}
