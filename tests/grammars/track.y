%{
/* A sheet of titles and times. After TITLE, anything is a name; lines without anything are passed over. */
#include <stdio.h>
int yylex(void);
void yyerror(const char *message);
int length;
%}
%token TITLE NAME_WORD INDEX NUMBER
%%
sheet: line | sheet line
line: TITLE NAME_WORD '\n'
    | INDEX NUMBER time '\n' { length += $2; }
time: NUMBER | NUMBER ':' NUMBER { if ($1 > 2) length = 0; }
%%
void yyerror(const char *message) { fprintf(stderr, "%s\n", message); }

int main(void) {
  if (yyparse() != 0)
    return 2;
  return length > 3;
}
