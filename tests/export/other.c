// Has a function of the same name as another file.
static int limit(int n) { return n & 0xff; }

int twice(int n) { return limit(2 * n); }
