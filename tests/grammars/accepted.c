/* Prints all texts of up to LENGTH bytes that the parser of calc.y accepts, one a line. Letters and digits are all the same to it: `a` is
   there for all of them. */
#include <stdio.h>

typedef struct yy_buffer_state *YY_BUFFER_STATE;
YY_BUFFER_STATE yy_scan_bytes(const char *bytes, int length);
void yy_delete_buffer(YY_BUFFER_STATE buffer);
int yyparse(void);
int yylex(void);
extern int vars[128], rejected, yychar;

static const char alphabet[] = "a()*/%+-|&";
static char text[LENGTH];

static void try(int length, int end) {
  if (length == end) {
    YY_BUFFER_STATE buffer = yy_scan_bytes(text, length);
    rejected = 0;
    yyparse();
    /* An expression ends the parser, whatever follows: so must the text. */
    int next = yychar < 0 ? yylex() : yychar;
    if (!rejected && next == 0)
      printf("%.*s\n", length, text);
    yy_delete_buffer(buffer);
    return;
  }
  for (const char *next = alphabet; *next; next++) {
    text[length] = *next;
    try(length + 1, end);
  }
}

int main(void) {
  vars['a'] = 'a';
  for (int length = 0; length <= LENGTH; length++)
    try(0, length);
  return 0;
}
