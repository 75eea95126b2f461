# Arithmetic expressions with the usual precedence.
expr   : term | expr "+" term | expr "-" term ;
term   : factor | term "*" factor | term "/" factor ;
factor : NUMBER | "-" factor | "(" expr ")" ;
NUMBER : /[0-9]+/ ;
