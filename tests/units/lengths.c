// Strings that matter for their length: what is in them decides no path.
//
// trial: entry=element param=s=string:100 expect=out-of-bounds at=element paths=3
// trial: entry=element_ok param=s=string:100 expect=clean paths=2
// trial: entry=lookup param=s=string:1023 expect=out-of-bounds at=append paths=7
// trial: entry=lookup_ok param=s=string:1023 expect=clean paths=5
// trial: entry=change_directory param=path=string:4200 expect=out-of-bounds at=copied paths=2
// trial: entry=joined param=a=string:300 expect=out-of-bounds at=joined
// trial: entry=duplicate param=text=string:500 expect=assert at=seven paths=2
// trial: entry=short_copy param=text=string:500 expect=out-of-bounds at=short paths=2
// trial: entry=first_part param=path=string:500 expect=out-of-bounds at=part
// trial: entry=truncated param=text=string:500 expect=out-of-bounds at=unended paths=2
// trial: entry=narrow param=text=string:500 expect=out-of-bounds at=narrow
// trial: entry=decimal expect=out-of-bounds at=decimal
// trial: entry=hexadecimal expect=clean
// trial: entry=described param=name=string:100 expect=out-of-bounds at=described
// trial: entry=described_ok param=name=string:70 expect=clean
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The length of a string as an index.
int element(char *s) {
  int a[5];
  int i = (int)strlen(s);
  if (i > 4)
    return 0;
  a[i + 1] = 0; //~ element
  return 1;
}

int element_ok(char *s) {
  int a[5];
  int i = (int)strlen(s);
  if (i > 3)
    return 0;
  a[i + 1] = 0;
  return 1;
}

// WU-FTPD's realpath: the test adds what it should subtract.
static void resolve(char *resolved, int is_fixed) {
  const char *name = "blah";
  int is_root = resolved[0] == '/' && resolved[1] == '\0';
  if (strlen(resolved) + strlen(name) + (is_fixed ? !is_root : is_root) + 1 > 1024)
    return;
  if (!is_root)
    strcat(resolved, "/");
  strcat(resolved, name); //~ append
}

void lookup(char *s) {
  char resolved[1024];
  strcpy(resolved, s);
  resolve(resolved, 0);
}

void lookup_ok(char *s) {
  char resolved[1024];
  strcpy(resolved, s);
  resolve(resolved, 1);
}

void change_directory(char *path) {
  char mapped[4096];
  strcpy(mapped, path); //~ copied
}

// One string after the other, one buffer for both.
int joined(const char *a) {
  char buffer[256];
  if (strlen(a) > 127)
    return 0;
  strcpy(buffer, a);
  strcat(buffer, ":");
  strcat(buffer, a);
  strcat(buffer, "?"); //~ joined
  return (int)strlen(buffer);
}

void duplicate(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  if (!copy)
    return;
  strcpy(copy, text);
  assert(strlen(copy) != 7); //~ seven
  free(copy);
}

void short_copy(const char *text) {
  if (strlen(text) < 3)
    return;
  char *copy = malloc(strlen(text));
  if (!copy)
    return;
  strcpy(copy, text); //~ short
  free(copy);
}

// Up to a character that may not be there.
int first_part(const char *path) {
  char part[16];
  const char *end = strchr(path, '/');
  if (!end)
    return -1;
  memcpy(part, path, (size_t)(end - path)); //~ part
  return strlen(end + 1) > 100;
}

// No room is left for the end.
int truncated(const char *text) {
  char copy[32];
  strncpy(copy, text, sizeof copy);
  return (int)strlen(copy); //~ unended
}

// A length of 256 is none.
void narrow(const char *text) {
  unsigned char length = (unsigned char)strlen(text);
  char copy[64];
  if (length >= sizeof copy)
    return;
  strcpy(copy, text); //~ narrow
}

// Ten digits and the end.
int decimal(unsigned number) {
  char text[10];
  return sprintf(text, "%u", number); //~ decimal
}

int hexadecimal(unsigned number) {
  char text[9];
  int n = sprintf(text, "%x", number);
  assert(n == (int)strlen(text));
  return n;
}

int described(const char *name, int number) {
  char text[64];
  return sprintf(text, "%s (%d)", name, number); //~ described
}

int described_ok(const char *name) {
  char text[64];
  int n = snprintf(text, sizeof text, "<%s>", name);
  assert((size_t)n == strlen(text) || n >= (int)sizeof text);
  return n;
}
