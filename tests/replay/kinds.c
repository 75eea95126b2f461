// One path for each kind of bug: the native run of each must show it at its line.
// options: --check=signed-overflow --check=memory-limit --max-memory=64MiB
#include <assert.h>
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void reach_error(void);

static int global[4];
static int *dangling;

static void keep_local(void) {
  int local = 1;
  dangling = &local;
}

static int deep(int n) { return n ? 1 + deep(n + 1) : 0; } //~ BUG(stack-exhausted)

static int turn(int n) {
  while (n) //~ BUG(endless-loop)
    n = 4 - n;
  return n;
}

static int uninitialised(int n) {
  int *p = malloc(sizeof *p);
  if (n > 100)
    *p = n;
  if (*p) //~ BUG(uninitialised)
    n++;
  free(p);
  return n;
}

int main(int argc, char **argv) {
  int kind = klee_range(0, 25, "kind");
  int n = klee_range(1, 3, "n");
  int *heap = malloc(4 * sizeof *heap);
  int stack[4] = {1, 2, 3, 4};
  volatile int *null = 0;
  char text[] = "overlapping text";
  memset(heap, 0, 4 * sizeof *heap);
  switch (kind) {
  case 0:
    return *null; //~ BUG(null-deref)
  case 1:
    return heap[4]; //~ BUG(out-of-bounds)
  case 2:
    stack[3 + n] = 0; //~ BUG(out-of-bounds)
    break;
  case 3:
    return global[3 + n]; //~ BUG(out-of-bounds)
  case 4:
    free(heap);
    return heap[1]; //~ BUG(use-after-free)
  case 5:
    free(heap);
    free(heap); //~ BUG(double-free)
    break;
  case 6:
    free(heap + 1); //~ BUG(bad-free)
    break;
  case 7:
    return 7 / (n - n); //~ BUG(div-by-zero)
  case 8:
    return (INT32_MIN + n - n) / -1; //~ BUG(div-overflow)
  case 9:
    return 1 << (31 + n); //~ BUG(oversized-shift)
  case 10:
    return INT32_MAX + n; //~ BUG(signed-overflow)
  case 11:
    return uninitialised(n);
  case 12:
    assert(n > 5); //~ BUG(assert)
    break;
  case 13:
    abort(); //~ BUG(abort)
  case 14:
    reach_error(); //~ BUG(reach-error)
    break;
  case 15:
    keep_local();
    return *dangling; //~ BUG(use-after-return)
  case 16:
    memcpy(text, text + n, 6); //~ BUG(overlap)
    break;
  case 17:
    __builtin_unreachable(); //~ BUG(unreachable)
  case 18:
    ((char *)"constant")[n] = 'x'; //~ BUG(write-to-constant)
    break;
  case 19:
    return deep(1);
  case 20:
    while (1)
      heap = calloc(1 << 20, 4); //~ BUG(memory-limit)
  case 21:
    return ((int (*)(void))(uintptr_t)global)(); //~ BUG(bad-call)
  case 22:
    return *(int *)(uintptr_t)0x123456789000; //~ BUG(wild-pointer)
  case 23:
    klee_report_error(__FILE__, __LINE__, "reported", "err"); //~ BUG(reported-error)
  case 24:
    return turn(n);
  }
  free(heap);
  return argc + (argv == 0);
}
