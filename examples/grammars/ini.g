# INI files: sections with settings, comments between them.
file     : line* ;
line     : "[" NAME "]\n" | NAME "=" VALUE? "\n" | ";" TEXT? "\n" | "\n" ;
NAME     : /[a-z]+/ ;
VALUE    : /[!-~]+/ ;
TEXT     : /[ -~]+/ ;
