# Comma-separated values (RFC 4180): records of fields, of which some are quoted.
file   : record | file record ;
record : fields "\r\n" ;
fields : field | fields "," field ;
field  : | TEXT | QUOTED ;
TEXT   : /[!#-+\--~]+/ ;
QUOTED : /"([ !#-~,\r\n]|"")*"/ ;
