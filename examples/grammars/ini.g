# INI files: sections with settings, indented or not, comments between and behind them.
file     : line* ;
line     : "[" NAME "]" note? "\n" | BLANK? setting note? "\n" | mark TEXT? "\n" | BLANK? "\n" ;
setting  : NAME BLANK? ("=" | ":") BLANK? VALUE? ;
note     : " ;" TEXT? ;
mark     : ";" | "#" ;
NAME     : /[a-z]+/ ;
VALUE    : /[!-~]+/ ;
TEXT     : /[ -~]+/ ;
BLANK    : /[ \t]+/ ;
