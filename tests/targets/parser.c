// program NAME ; { function NAME ; } begin end
#include <assert.h>

static int is_blank(char c) {
  return c == ' ' || c == '\n';
}

static int is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int matches(const char *s, const char *word) {
  for (int i = 0; word[i]; i++)
    if (s[i] != word[i])
      return 0;
  return 1;
}

static void skip_blanks(const char *s, int *pos) {
  while (is_blank(s[*pos]))
    (*pos)++;
}

static int accept(const char *s, int *pos, const char *word) {
  skip_blanks(s, pos);
  if (!matches(s + *pos, word))
    return 0;
  while (*word++)
    (*pos)++;
  return 1;
}

static int name(const char *s, int *pos) {
  skip_blanks(s, pos);
  if (!is_letter(s[*pos]))
    return 0;
  while (is_letter(s[*pos]))
    (*pos)++;
  return 1;
}

static int parse(const char *s) {
  int pos = 0;
  if (!accept(s, &pos, "program") || !name(s, &pos) || !accept(s, &pos, ";"))
    return 0;
  while (accept(s, &pos, "function"))
    if (!name(s, &pos) || !accept(s, &pos, ";"))
      return 0;
  if (!accept(s, &pos, "begin") || !accept(s, &pos, "end"))
    return 0;
  skip_blanks(s, &pos);
  return s[pos] == 0;
}

void parser(const char *s) {
  assert(!parse(s));
}
