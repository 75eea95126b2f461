// Texts of errno values: strerror and its relatives.

#include "rt.h"

#define ROW(name, text) [name] = {#name, text}

// Arrays instead of pointers keep the table a single object. A gap is an empty row.
static const struct error {
  char name[16];
  char text[52];
} errors[] = {
    [0] = {"0", "Success"},
    ROW(EPERM, "Operation not permitted"),
    ROW(ENOENT, "No such file or directory"),
    ROW(ESRCH, "No such process"),
    ROW(EINTR, "Interrupted system call"),
    ROW(EIO, "Input/output error"),
    ROW(ENXIO, "No such device or address"),
    ROW(E2BIG, "Argument list too long"),
    ROW(ENOEXEC, "Exec format error"),
    ROW(EBADF, "Bad file descriptor"),
    ROW(ECHILD, "No child processes"),
    ROW(EAGAIN, "Resource temporarily unavailable"),
    ROW(ENOMEM, "Cannot allocate memory"),
    ROW(EACCES, "Permission denied"),
    ROW(EFAULT, "Bad address"),
    ROW(ENOTBLK, "Block device required"),
    ROW(EBUSY, "Device or resource busy"),
    ROW(EEXIST, "File exists"),
    ROW(EXDEV, "Invalid cross-device link"),
    ROW(ENODEV, "No such device"),
    ROW(ENOTDIR, "Not a directory"),
    ROW(EISDIR, "Is a directory"),
    ROW(EINVAL, "Invalid argument"),
    ROW(ENFILE, "Too many open files in system"),
    ROW(EMFILE, "Too many open files"),
    ROW(ENOTTY, "Inappropriate ioctl for device"),
    ROW(ETXTBSY, "Text file busy"),
    ROW(EFBIG, "File too large"),
    ROW(ENOSPC, "No space left on device"),
    ROW(ESPIPE, "Illegal seek"),
    ROW(EROFS, "Read-only file system"),
    ROW(EMLINK, "Too many links"),
    ROW(EPIPE, "Broken pipe"),
    ROW(EDOM, "Numerical argument out of domain"),
    ROW(ERANGE, "Numerical result out of range"),
    ROW(EDEADLK, "Resource deadlock avoided"),
    ROW(ENAMETOOLONG, "File name too long"),
    ROW(ENOLCK, "No locks available"),
    ROW(ENOSYS, "Function not implemented"),
    ROW(ENOTEMPTY, "Directory not empty"),
    ROW(ELOOP, "Too many levels of symbolic links"),
    ROW(ENOMSG, "No message of desired type"),
    ROW(EIDRM, "Identifier removed"),
    ROW(ECHRNG, "Channel number out of range"),
    ROW(EL2NSYNC, "Level 2 not synchronized"),
    ROW(EL3HLT, "Level 3 halted"),
    ROW(EL3RST, "Level 3 reset"),
    ROW(ELNRNG, "Link number out of range"),
    ROW(EUNATCH, "Protocol driver not attached"),
    ROW(ENOCSI, "No CSI structure available"),
    ROW(EL2HLT, "Level 2 halted"),
    ROW(EBADE, "Invalid exchange"),
    ROW(EBADR, "Invalid request descriptor"),
    ROW(EXFULL, "Exchange full"),
    ROW(ENOANO, "No anode"),
    ROW(EBADRQC, "Invalid request code"),
    ROW(EBADSLT, "Invalid slot"),
    ROW(EBFONT, "Bad font file format"),
    ROW(ENOSTR, "Device not a stream"),
    ROW(ENODATA, "No data available"),
    ROW(ETIME, "Timer expired"),
    ROW(ENOSR, "Out of streams resources"),
    ROW(ENONET, "Machine is not on the network"),
    ROW(ENOPKG, "Package not installed"),
    ROW(EREMOTE, "Object is remote"),
    ROW(ENOLINK, "Link has been severed"),
    ROW(EADV, "Advertise error"),
    ROW(ESRMNT, "Srmount error"),
    ROW(ECOMM, "Communication error on send"),
    ROW(EPROTO, "Protocol error"),
    ROW(EMULTIHOP, "Multihop attempted"),
    ROW(EDOTDOT, "RFS specific error"),
    ROW(EBADMSG, "Bad message"),
    ROW(EOVERFLOW, "Value too large for defined data type"),
    ROW(ENOTUNIQ, "Name not unique on network"),
    ROW(EBADFD, "File descriptor in bad state"),
    ROW(EREMCHG, "Remote address changed"),
    ROW(ELIBACC, "Can not access a needed shared library"),
    ROW(ELIBBAD, "Accessing a corrupted shared library"),
    ROW(ELIBSCN, ".lib section in a.out corrupted"),
    ROW(ELIBMAX, "Attempting to link in too many shared libraries"),
    ROW(ELIBEXEC, "Cannot exec a shared library directly"),
    ROW(EILSEQ, "Invalid or incomplete multibyte or wide character"),
    ROW(ERESTART, "Interrupted system call should be restarted"),
    ROW(ESTRPIPE, "Streams pipe error"),
    ROW(EUSERS, "Too many users"),
    ROW(ENOTSOCK, "Socket operation on non-socket"),
    ROW(EDESTADDRREQ, "Destination address required"),
    ROW(EMSGSIZE, "Message too long"),
    ROW(EPROTOTYPE, "Protocol wrong type for socket"),
    ROW(ENOPROTOOPT, "Protocol not available"),
    ROW(EPROTONOSUPPORT, "Protocol not supported"),
    ROW(ESOCKTNOSUPPORT, "Socket type not supported"),
    ROW(EOPNOTSUPP, "Operation not supported"),
    ROW(EPFNOSUPPORT, "Protocol family not supported"),
    ROW(EAFNOSUPPORT, "Address family not supported by protocol"),
    ROW(EADDRINUSE, "Address already in use"),
    ROW(EADDRNOTAVAIL, "Cannot assign requested address"),
    ROW(ENETDOWN, "Network is down"),
    ROW(ENETUNREACH, "Network is unreachable"),
    ROW(ENETRESET, "Network dropped connection on reset"),
    ROW(ECONNABORTED, "Software caused connection abort"),
    ROW(ECONNRESET, "Connection reset by peer"),
    ROW(ENOBUFS, "No buffer space available"),
    ROW(EISCONN, "Transport endpoint is already connected"),
    ROW(ENOTCONN, "Transport endpoint is not connected"),
    ROW(ESHUTDOWN, "Cannot send after transport endpoint shutdown"),
    ROW(ETOOMANYREFS, "Too many references: cannot splice"),
    ROW(ETIMEDOUT, "Connection timed out"),
    ROW(ECONNREFUSED, "Connection refused"),
    ROW(EHOSTDOWN, "Host is down"),
    ROW(EHOSTUNREACH, "No route to host"),
    ROW(EALREADY, "Operation already in progress"),
    ROW(EINPROGRESS, "Operation now in progress"),
    ROW(ESTALE, "Stale file handle"),
    ROW(EUCLEAN, "Structure needs cleaning"),
    ROW(ENOTNAM, "Not a XENIX named type file"),
    ROW(ENAVAIL, "No XENIX semaphores available"),
    ROW(EISNAM, "Is a named type file"),
    ROW(EREMOTEIO, "Remote I/O error"),
    ROW(EDQUOT, "Disk quota exceeded"),
    ROW(ENOMEDIUM, "No medium found"),
    ROW(EMEDIUMTYPE, "Wrong medium type"),
    ROW(ECANCELED, "Operation canceled"),
    ROW(ENOKEY, "Required key not available"),
    ROW(EKEYEXPIRED, "Key has expired"),
    ROW(EKEYREVOKED, "Key has been revoked"),
    ROW(EKEYREJECTED, "Key was rejected by service"),
    ROW(EOWNERDEAD, "Owner died"),
    ROW(ENOTRECOVERABLE, "State not recoverable"),
    ROW(ERFKILL, "Operation not possible due to RF-kill"),
    ROW(EHWPOISON, "Memory page has hardware error"),
};

static const struct error *find(int error) {
  int known = error >= 0 && error < (int)(sizeof errors / sizeof *errors) && errors[error].name[0] != '\0';
  return known ? &errors[error] : NULL;
}

const char *__rt_error_name(int error) {
  const struct error *row = find(error);
  return row ? row->name : NULL;
}

static const char *error_text(int error) {
  const struct error *row = find(error);
  return row ? row->text : NULL;
}

static const char unknown_prefix[] = "Unknown error ";
enum { UNKNOWN_TEXT_SIZE = sizeof unknown_prefix + 11 };

// "Unknown error N", written without the formatter so that strerror does not link it.
static char *describe_unknown(char buf[UNKNOWN_TEXT_SIZE], int error) {
  char digits[12];
  size_t start = sizeof digits;
  unsigned magnitude = error < 0 ? 0u - (unsigned)error : (unsigned)error;
  digits[--start] = '\0';
  do {
    digits[--start] = (char)('0' + magnitude % 10);
    magnitude /= 10;
  } while (magnitude != 0);
  if (error < 0) digits[--start] = '-';
  memcpy(buf, unknown_prefix, sizeof unknown_prefix - 1);
  memcpy(buf + sizeof unknown_prefix - 1, digits + start, sizeof digits - start);
  return buf;
}

const char *__rt_describe_error(int error) {
  static char unknown[UNKNOWN_TEXT_SIZE];
  const char *text = error_text(error);
  return text ? text : describe_unknown(unknown, error);
}

char *strerror(int error) { return (char *)__rt_describe_error(error); }

char *strerror_l(int error, locale_t locale) {
  (void)locale;
  return strerror(error);
}

// The GNU variant: uses `buf` only for an unknown error.
char *strerror_r(int error, char *buf, size_t cap) {
  const char *text = error_text(error);
  char unknown[UNKNOWN_TEXT_SIZE];
  size_t length;
  if (text) return (char *)text;
  describe_unknown(unknown, error);
  if (cap == 0) return buf;
  length = strlen(unknown) < cap ? strlen(unknown) : cap - 1;
  memcpy(buf, unknown, length);
  buf[length] = '\0';
  return buf;
}

int __xpg_strerror_r(int error, char *buf, size_t cap) {
  const char *text = error_text(error);
  char unknown[UNKNOWN_TEXT_SIZE];
  int known = text != NULL;
  size_t length;
  if (!known) text = describe_unknown(unknown, error);
  length = strlen(text);
  if (length < cap) {
    memcpy(buf, text, length + 1);
    return known ? 0 : EINVAL;
  }
  if (cap > 0) {
    memcpy(buf, text, cap - 1);
    buf[cap - 1] = '\0';
  }
  return known ? ERANGE : EINVAL;
}

const char *strerrorname_np(int error) { return __rt_error_name(error); }
const char *strerrordesc_np(int error) { return error_text(error); }

_Noreturn void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
  __sp_assert_fail(__rt_describe_error(error), file, line, function);
}
