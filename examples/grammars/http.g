# Requests of HTTP/1.1 (RFC 9112), with a body as long as one header says.
request : METHOD " " TARGET " HTTP/1." MINOR "\r\n" header* "\r\n" ;
header  : "Host: " VALUE "\r\n" | "Content-Length: " LENGTH "\r\n" | "Connection: " connection "\r\n" | NAME ": " VALUE? "\r\n" ;
connection : "close" | "keep-alive" ;
METHOD  : /GET|HEAD|POST|PUT|DELETE/ ;
TARGET  : /\/[a-z0-9.%\/-]*/ ;
MINOR   : /[01]/ ;
LENGTH  : /[0-9]+/ ;
NAME    : /X-[a-z]+/ ;
VALUE   : /[!-~]+/ ;
