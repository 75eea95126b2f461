# A command and a path.
command : verb " " PATH ;
verb    : "RETR" | "STOR" | "DELE" | "MKD" ;
PATH    : /[a-z]+/ ;
