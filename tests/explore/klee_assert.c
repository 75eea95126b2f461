// Assertions as KLEE's own header has them.
void klee_assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
int klee_int(const char *);
#define klee_assert(e) ((e) ? (void)0 : klee_assert_fail(#e, __FILE__, __LINE__, __func__))

int main(void) {
  klee_assert(klee_int("n") != 31415); //~ BUG(assert)
  return 0;
}
