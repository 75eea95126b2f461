// A tokenizer that looks at one byte after another, as hand-written ones do.
#include <klee/klee.h>

#ifndef LENGTH
#define LENGTH 8
#endif

enum token { END, NAME, NUMBER, STRING, OPERATOR, ERROR };

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static enum token next(const char **at) {
  const char *p = *at;
  while (*p == ' ' || *p == '\t')
    p++;
  enum token token;
  if (*p == '\0') {
    token = END;
  } else if (is_letter(*p)) {
    while (is_letter(*p) || is_digit(*p))
      p++;
    token = NAME;
  } else if (is_digit(*p)) {
    while (is_digit(*p))
      p++;
    if (*p == '.') {
      p++;
      while (is_digit(*p))
        p++;
    }
    token = NUMBER;
  } else if (*p == '"') {
    p++;
    while (*p != '"' && *p != '\0')
      p++;
    token = *p == '"' ? STRING : ERROR;
    if (*p == '"')
      p++;
  } else {
    switch (*p) {
    case '=':
    case '<':
    case '>':
      p++;
      if (*p == '=')
        p++;
      token = OPERATOR;
      break;
    case '+':
    case '-':
    case '*':
    case '/':
    case '(':
    case ')':
    case ';':
      p++;
      token = OPERATOR;
      break;
    default:
      token = ERROR;
    }
  }
  *at = p;
  return token;
}

int main(void) {
  char text[LENGTH + 1];
  klee_make_symbolic(text, sizeof text, "text");
  klee_assume(text[LENGTH] == '\0');
  const char *at = text;
  int n_tokens = 0;
  for (;;) {
    enum token token = next(&at);
    if (token == END || token == ERROR)
      return n_tokens;
    n_tokens++;
  }
}
