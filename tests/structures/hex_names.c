// A list of strings: the rules are about the list, the strings are what they are without rules, of any length. How many paths there are
// does not depend on how long they may be.
//
// trial: entry=longest hex=hex_names.hex objects=item=2 paths=24 expect=clean
// trial: entry=longest hex=hex_names.hex objects=item=2 param=item.name=string:1000 paths=15 expect=clean
// trial: entry=find hex=hex_names.hex objects=item=3 expect=clean branches=95
// trial: entry=find hex=hex_names.hex objects=item=3 fault=NO_NAME expect=null-deref at=name
// trial: entry=longest hex=hex_names.hex objects=item=2 fault=LENGTH expect=assert at=length
#include <spelunk.h>
#include <string.h>

typedef struct item {
  const char *name;
  struct item *next;
} item;

// Never runs around: the list ends.
int find(const item *list, char first) {
  int n = 0;
  for (const item *p = list; p; p = p->next, n++) {
#ifndef FAULT_NO_NAME
    if (!p->name)
      continue;
#endif
    if (p->name[0] == first) //~ name
      return n;
  }
  return -1;
}

unsigned longest(const item *list) {
  unsigned max = 0;
  for (const item *p = list; p; p = p->next) {
    if (p->name && strlen(p->name) > max)
      max = (unsigned)strlen(p->name);
  }
#ifdef FAULT_LENGTH
  spelunk_assert(max != 6); //~ length
#endif
  return max;
}
