// What is used behind a check hangs under its passing.
// paths: 9
// options: --entry test --global p
struct packet { int kind, version, length; int field[5]; } p;
int out[5];
static int is_valid(void) {
  if (p.kind != 1)
    return 0;
  if (p.version != 4)
    return 0;
  if (p.length < 8)
    return 0;
  return 1;
}
void test(void) {
  if (!is_valid())
    return;
  for (int i = 0; i < 5; i++)
    if (p.field[i] > 100)
      out[i] = 1;
}
