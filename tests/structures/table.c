// Indices that come from the input, into what its pointers lead to. Whatever is added to a null pointer, an
// access through the sum is one through null, even if the sum is the address of something.
//
// trial: entry=find expect=null-deref at=bucket
// trial: entry=has_word depth=12 expect=clean
#include <stddef.h>

struct entry {
  int key;
  struct entry *next;
};

struct table {
  struct entry **buckets;
  unsigned n;
};

struct entry *find(struct table *t, unsigned hash) {
  if (t == NULL || t->n == 0)
    return NULL;
  return t->buckets[hash % t->n]; //~ bucket
}

struct trie {
  struct trie *kids[3];
  int is_word;
};

// The letters choose among pointers of the input.
int has_word(const struct trie *t, const char *word) {
  for (; t != NULL && *word; word++) {
    int letter = *word - 'a';
    if (letter < 0 || letter > 2)
      return 0;
    t = t->kids[letter];
  }
  return t != NULL && t->is_word;
}
