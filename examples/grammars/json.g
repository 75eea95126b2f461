# JSON (RFC 8259), without optional white space.
value   : object | array | STRING | NUMBER | "true" | "false" | "null" ;
object  : "{" "}" | "{" members "}" ;
members : member | members "," member ;
member  : STRING ":" value ;
array   : "[" "]" | "[" values "]" ;
values  : value | values "," value ;
STRING  : /"([ !#-\[\]-~]|\\["\\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/ ;
NUMBER  : /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/ ;
