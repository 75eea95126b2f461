%{
/* What tokens are depends on what follows them. */
#include <stdio.h>
int yylex(void);
void yyerror(const char *message);
static int rejected;
%}
%token FUNC NAME MARK STOP FAR KM WORD
%%
text: item | text item ;
item: FUNC '(' ')'
    | FUNC '(' NAME ')'
    | NAME
    | MARK NAME
    | NAME STOP
    | FAR KM
    | WORD ':'
    ;
%%
void yyerror(const char *message) {
  fprintf(stderr, "%s\n", message);
  rejected = 2;
}

int main(void) { return yyparse() ? 2 : rejected; }
