%{
/* SimpleCalc, as tutorials of yacc have it: nobody checks for a division by zero. */
#include <stdio.h>
int yylex(void);
void yyerror(const char *message);
int vars[128], rejected;
%}
%token LETTER NUMBER
%left '|'
%left '&'
%left '+' '-'
%left '*' '/' '%'
%right UMINUS
%%
line: expr { return $1 & 1; }
expr: '(' expr ')'        { $$ = $2; }
    | expr '*' expr       { $$ = $1 * $3; }
    | expr '/' expr       { $$ = $1 / $3; }
    | expr '%' expr       { $$ = $1 % $3; }
    | expr '+' expr       { $$ = $1 + $3; }
    | expr '-' expr       { $$ = $1 - $3; }
    | expr '|' expr       { $$ = $1 | $3; }
    | expr '&' expr       { $$ = $1 & $3; }
    | '-' expr %prec UMINUS { $$ = -$2; }
    | LETTER              { $$ = vars[$1]; }
    | NUMBER
    ;
%%
void yyerror(const char *message) {
  fprintf(stderr, "%s\n", message);
  rejected = 2;
}

int main(void) {
  for (int i = 0; i < 128; i++)
    vars[i] = i;
  return yyparse() > 1 ? 2 : rejected;
}
