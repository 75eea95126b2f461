// setjmp, variable arguments, function pointers, sorting, tokens, and a bug for some inputs.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int input(void);

static jmp_buf again;

static int largest(int n, ...) {
  va_list list;
  va_start(list, n);
  int best = va_arg(list, int);
  for (int i = 1; i < n; i++) {
    int next = va_arg(list, int);
    if (next > best)
      best = next;
  }
  va_end(list);
  return best;
}

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}

static int descending(const void *a, const void *b) { return -ascending(a, b); }

static void leave(int depth, int value) {
  volatile int local = depth;
  if (depth == 0)
    longjmp(again, value > 4 ? 2 : 1);
  leave(local - 1, value);
}

int main(void) {
  int values[5];
  for (int i = 0; i < 5; i++)
    values[i] = input() % 10;
  volatile int rounds = 0;
  int how = setjmp(again);
  rounds++;
  if (rounds < 3)
    leave(rounds * 2, values[rounds]);
  printf("rounds %d, last %d\n", rounds, how);

  // Which number a buffer gets depends on the input.
  static jmp_buf detour, finish;
  volatile int hops = 0;
  if (values[3] > 2)
    if (setjmp(detour))
      hops += 10;
  if (setjmp(finish))
    hops += 100;
  if (values[2] > 3 && hops < 100)
    longjmp(finish, 1);
  printf("hops %d\n", hops);

  int (*order[2])(const void *, const void *) = {ascending, descending};
  qsort(values, 5, sizeof values[0], order[values[4] > 2]);
  int best = largest(3, values[0], values[2], values[4]);
  if (best == values[0])
    puts("descending");

  char text[] = "one,two;three";
  for (char *token = strtok(text, ",;"); token; token = strtok(NULL, ",;")) {
    printf("%s\n", token);
    if (best == 7 && token[0] == 't')
      break;
  }
  int *gone = malloc(sizeof *gone);
  *gone = best;
  if (best == 9)
    free(gone);
  int left = *gone;
  free(gone);
  return left < 0 ? 3 : left > 5;
}
