# S-expressions: atoms and lists, white space where atoms would run together.
file : sexp | file sexp ;
sexp : SYMBOL | NUMBER | STRING | "'" sexp | "(" ")" | "(" list ")" | "(" list "." sexp ")" ;
list : sexp | list sexp ;
SYMBOL : /[a-z+*<>=!?\/-][a-z0-9+*<>=!?\/-]*/ ;
NUMBER : /[0-9]+/ ;
STRING : /"([ !#-\[\]-~]|\\["\\])*"/ ;
%skip /[ \t\n]+/ ;
