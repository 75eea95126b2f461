# Commands of FTP (RFC 959), one a line.
session  : command | session command ;
command  : path_command " " PATH "\r\n" | "CWD" "\r\n" | "PWD\r\n" | "QUIT\r\n" | "NOOP\r\n" | "USER " NAME "\r\n" | "PASS " NAME "\r\n"
         | "TYPE " ("A" | "I") "\r\n" | "PORT " NUMBER "," NUMBER "," NUMBER "," NUMBER "," NUMBER "," NUMBER "\r\n" ;
path_command : "RETR" | "STOR" | "DELE" | "RMD" | "MKD" | "RNFR" | "RNTO" | "LIST" ;
PATH   : /[a-z\/]+/ ;
NAME   : /[a-z]+/ ;
NUMBER : /[0-9]{1,3}/ ;
