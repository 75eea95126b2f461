// Prints every shape of up to three objects that an invariant accepts, each once: for comparison with what is explored.
//
// The file that includes this defines TYPE, POINTERS (pointers of an object), POINTER(object, i), the root type ROOT with
// ROOTS pointers of its own, ROOT_POINTER(root, i), and PREPARE(root, objects, round) which sets the numbers for a round and
// returns whether there are more.
#include <stdio.h>
#include <string.h>

enum { OBJECTS = 3, PLACES = ROOTS + OBJECTS * POINTERS };

static TYPE objects[OBJECTS];
static ROOT root;

static TYPE **place(int i) {
  return i < ROOTS ? ROOT_POINTER(root, i) : POINTER(objects[(i - ROOTS) / POINTERS], (i - ROOTS) % POINTERS);
}

// The objects in the order in which they are met: pointer by pointer, those of the root first.
static void describe(char *text) {
  TYPE *met[OBJECTS];
  int n_met = 0;
  for (int from = -1; from < n_met; from++) {
    int n = from < 0 ? ROOTS : POINTERS;
    for (int i = 0; i < n; i++) {
      TYPE *to = *(from < 0 ? ROOT_POINTER(root, i) : POINTER((*met[from]), i));
      int number = 0;
      while (number < n_met && met[number] != to)
        number++;
      if (to && number == n_met)
        met[n_met++] = to;
      *text++ = to ? (char)('a' + number) : '-';
    }
    *text++ = ' ';
  }
  text[-1] = '\0';
}

int main(void) {
  static char seen[1 << 12][64];
  int n_seen = 0;
  long n_graphs = 1;
  for (int i = 0; i < PLACES; i++)
    n_graphs *= OBJECTS + 1;
  for (int round = 0; PREPARE(round); round++) {
    for (long graph = 0; graph < n_graphs; graph++) {
      long rest = graph;
      for (int i = 0; i < PLACES; i++, rest /= OBJECTS + 1)
        *place(i) = rest % (OBJECTS + 1) ? &objects[rest % (OBJECTS + 1) - 1] : NULL;
      if (!VALID(&root))
        continue;
      char text[64];
      describe(text);
      int i = 0;
      while (i < n_seen && strcmp(seen[i], text))
        i++;
      if (i == n_seen && n_seen < 1 << 12) {
        strcpy(seen[n_seen++], text);
        puts(text);
      }
    }
  }
}
