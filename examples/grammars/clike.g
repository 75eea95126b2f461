# A small language like C.
program    : function | program function ;
function   : type ID "(" params? ")" block ;
params     : param | params "," param ;
param      : type ID ;
type       : "int" | "char" | type "*" ;
block      : "{" statement* "}" ;
statement  : open | closed ;
open       : "if" "(" expr ")" statement | "if" "(" expr ")" closed "else" open | "while" "(" expr ")" open ;
closed     : block | "if" "(" expr ")" closed "else" closed | "while" "(" expr ")" closed | "return" expr? ";"
           | type ID ("=" expr)? ";" | expr ";" | "break" ";" | "continue" ";" | ";" ;
expr       : assignment ;
assignment : disjunction | unary "=" assignment ;
disjunction : conjunction | disjunction "||" conjunction ;
conjunction : equality | conjunction "&&" equality ;
equality   : relation | equality "==" relation | equality "!=" relation ;
relation   : sum | relation "<" sum | relation ">" sum ;
sum        : product | sum "+" product | sum "-" product ;
product    : unary | product "*" unary | product "/" unary | product "%" unary ;
unary      : postfix | "-" unary | "!" unary | "&" unary | "*" unary ;
postfix    : primary | postfix "[" expr "]" | postfix "(" arguments? ")" ;
arguments  : assignment | arguments "," assignment ;
primary    : ID | NUMBER | STRING | "(" expr ")" ;
ID     : /[a-z_][a-z0-9_]*/ ;
NUMBER : /[0-9]+/ ;
STRING : /"[ !#-\[\]-~]*"/ ;
%skip /[ \t\n]+/ ;
