# URLs (RFC 3986): a scheme, an authority, a path, a query and a fragment.
url       : scheme "://" authority path query? fragment? ;
scheme    : "http" | "https" | "ftp" ;
authority : (USER "@")? HOST (":" PORT)? ;
path      : ("/" SEGMENT?)* ;
query     : "?" pair ("&" pair)* ;
pair      : KEY "=" VALUE? ;
fragment  : "#" VALUE? ;
USER      : /[a-z]+/ ;
HOST      : /[a-z0-9]+(\.[a-z0-9]+)*/ ;
PORT      : /[0-9]{1,5}/ ;
SEGMENT   : /([a-zA-Z0-9._~-]|%[0-9a-fA-F]{2})+/ ;
KEY       : /[a-z]+/ ;
VALUE     : /([a-zA-Z0-9._~-]|%[0-9a-fA-F]{2})+/ ;
