// Strings of which nobody has said how long they may be: short where they are looked at byte by byte, long where their length is what
// counts.
//
// trial: entry=greet expect=out-of-bounds at=greet paths=3
// trial: entry=greet fault=CHECKED expect=clean paths=3
// trial: entry=nearly expect=out-of-bounds at=nearly paths=4
// trial: entry=nearly fault=CHECKED expect=clean paths=3
// trial: entry=joined expect=out-of-bounds at=joined
// trial: entry=joined fault=CHECKED expect=clean
// trial: entry=printed expect=out-of-bounds at=printed
// trial: entry=printed fault=CHECKED expect=clean
// trial: entry=member expect=out-of-bounds at=member
// trial: entry=member fault=CHECKED expect=clean
// trial: entry=directory expect=out-of-bounds at=directory
// trial: entry=directory fault=CHECKED expect=clean
// trial: entry=looped expect=out-of-bounds at=looped
// trial: entry=looped fault=CHECKED expect=clean
// trial: entry=counted expect=clean paths=9
// trial: entry=shared expect=clean paths=4
// trial: entry=shared_copy fault=CHECKED expect=clean
// trial: entry=behind expect=out-of-bounds at=behind
// trial: entry=behind fault=CHECKED expect=clean
// trial: entry=cut expect=clean
// trial: entry=cut_behind expect=clean
// trial: entry=first_word expect=clean
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FAULT_CHECKED
#define REQUIRE(condition) if (!(condition)) return 0
#define SPARE 1
#else
#define REQUIRE(condition)
#define SPARE 0
#endif

int greet(const char *name) {
  char greeting[32];
  REQUIRE(strlen(name) < sizeof greeting);
  strcpy(greeting, name); //~ greet
  return greeting[0];
}

// The check is there, and wrong by one.
int nearly(const char *name) {
  char path[4096];
  REQUIRE(strlen(name) < sizeof path);
  if (strlen(name) > sizeof path)
    return -1;
  strcpy(path, name); //~ nearly
  return path[0];
}

int joined(const char *a, const char *b) {
  char *both = malloc(strlen(a) + strlen(b) + SPARE);
  if (!both)
    return 0;
  strcpy(both, a); //~ joined
  strcat(both, b);
  int first = both[0];
  free(both);
  return first;
}

int printed(const char *directory, const char *file) {
  char path[256];
  REQUIRE(strlen(directory) + strlen(file) < 250);
  return sprintf(path, "%s/%s.txt", directory, file); //~ printed
}

struct user {
  int id;
  char *name;
};

int member(const struct user *user) {
  char name[100];
  if (!user || !user->name || user->id != 7)
    return 0;
  REQUIRE(strlen(user->name) < sizeof name);
  strcpy(name, user->name); //~ member
  return name[0];
}

int directory(const char *path) {
  char copy[128];
  const char *slash = strrchr(path, '/');
  if (!slash)
    return 0;
  REQUIRE((size_t)(slash - path) <= sizeof copy);
  memcpy(copy, path, slash - path); //~ directory
  return 1;
}

// No function of the library is asked how long it is.
int looped(const char *name) {
  char copy[64];
  int n = 0;
  while (*name) {
    REQUIRE(n < 63);
    copy[n++] = *name++; //~ looped
  }
  copy[n] = 0;
  return copy[0];
}

// As many paths as with strings of 8 characters.
int counted(const char *text) {
  int n = 0;
  for (; *text; text++)
    n += *text == 'a';
  return n;
}

// A string that is short has nothing behind its end.
int behind(const char *text) {
  int n = 0;
  for (; *text; text++) { //~ behind
    if (*text == '\\') {
      text++;
      REQUIRE(*text);
    }
    n++;
  }
  return n;
}

// A long string that two pointers lead to.
int shared(char *a, char *b) {
  size_t n = strlen(b);
  return a == b ? n > 20 : 2;
}

int shared_copy(char *to, const char *from) {
  size_t n = strlen(from);
  REQUIRE(n < 8);
  memcpy(to, from, n);
  return to[0];
}

// Where the end of a short string was seen, it can't be made longer when its length is asked for.
int cut(char *text) {
  int at = 0;
  while (text[at] && text[at] != '/')
    at++;
  text[at] = 0;
  return strlen(text) > 3;
}

int cut_behind(char *text) {
  while (*text == '/')
    text++;
  if (!*text)
    return -1;
  return cut(text);
}

int first_word(char *text, const char *separators) {
  if (text == separators || strlen(separators) > 2)
    return 0;
  char *word = strtok(text, separators);
  return word && strlen(word) > 3;
}
