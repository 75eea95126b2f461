// What the files of the run-time C library share: the primitives that the VM offers, the stream record, and the
// mechanisms with more than one user (formatter, integer parser, float lexer). Leaves out everything that the
// public headers declare.
//
// Conventions. Names that start with `__sp_` are implemented by the VM, functions and variables that start with `__rt_`
// are shared between these files and invisible to programs. A program may define any function that ISO C does not reserve
// (getline, open, index…), so library code never calls such a public name: it calls the `__rt_` twin or the primitive.

#ifndef SPELUNK_RT_H
#define SPELUNK_RT_H

#define _GNU_SOURCE 1
#undef _FORTIFY_SOURCE
// The headers' inline bodies would clash with the definitions here.
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif
#define __NO_CTYPE 1

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wchar.h>

// A flag of __sp_open: the name was chosen by the library, and nobody else uses it.
#define RT_FRESH (1 << 30)

// ---- Primitives. Those that return long give a negative errno value when they fail.

long __sp_open(const char *path, int flags, int mode);
long __sp_read(int fd, void *buf, unsigned long n);
long __sp_write(int fd, const void *buf, unsigned long n);
long __rt_read(int fd, void *buf, unsigned long n); /* read.c: devices of random bytes too */
long __rt_write(int fd, const void *buf, unsigned long n); /* write.c: raises SIGPIPE too */
// Bytes that will be written later are judged now, where the program can be blamed.
void __sp_check_output(const void *buf, unsigned long n);
void __sp_check_character(unsigned char c);
long __sp_close(int fd);
long __sp_lseek(int fd, long offset, int whence);
long __sp_stat(const char *path, struct stat *out, int nofollow);
long __sp_fstat(int fd, struct stat *out);
long __sp_isatty(int fd);
long __sp_unlink(const char *path);
long __sp_rmdir(const char *path);
long __sp_mkdir(const char *path, int mode);
long __sp_rename(const char *from, const char *to);
long __sp_access(const char *path, int mode);
long __sp_dup(int fd);
long __sp_dup2(int from, int to);
long __sp_getcwd(char *buf, unsigned long n);
long __sp_directory(int fd, char *buf, unsigned long n); // the path of an open directory, as __sp_getcwd
long __sp_chdir(const char *path);
long __sp_ftruncate(int fd, long length);
long __sp_getpid(void);
long __sp_clock(int clock_id, long *seconds, long *nanoseconds);
long __sp_sleep(long seconds, long nanoseconds);

// The path of a name that is relative to an open directory: the name itself, or in `buf`. Null with errno set.
const char *__rt_at(int directory, const char *path, char buf[PATH_MAX]);

// Ends the path if `n` bytes are too many for a buffer of a known size.
void __sp_check_fits(size_t n, size_t size);

_Noreturn void __sp_exit(int status);
_Noreturn void __sp_abort(const char *why);
_Noreturn void __sp_assert_fail(const char *expr, const char *file, unsigned line, const char *function);
_Noreturn void __sp_raise(int signal);

// Digits of the magnitude as printf's 'e', 'f' or 'a' writes them; the result is the length needed.
int __sp_format_double(char *buf, unsigned long cap, double value, int conversion, int precision);
int __sp_format_float(char *buf, unsigned long cap, long double value, int conversion, int precision);
// Correctly rounded value of a well-formed number.
float __sp_parse_float(const char *text, unsigned long n);
double __sp_parse_double(const char *text, unsigned long n);
long double __sp_parse_long_double(const char *text, unsigned long n);

// ---- Symbols

// A second external name for a function of this file. The C identifier is private, so that a header which declares
// the name with another type (struct stat64…) does not clash.
#define RT_ALIAS(symbol, target) \
  extern __typeof__(target) __rt_alias_##symbol __asm__(#symbol) __attribute__((alias(#target)))

// ---- Paths
//
// Names that start with `__twin_` are functions that stand in for those of the same name that the VM implements itself.
// They are used while paths are explored, and only on data that carries expressions: see twin_*.c.


// Why a function's work is not followed: it prints, or it makes text of numbers, which is concrete for the program too.
enum muted { RT_OUTPUT, RT_TEXT };

// Whether a number depends on the input, and the path follows what is done with it.
int __sp_is_open(uintmax_t number);

// How many digits a number has, at least one, and the character of one, counted from the last: as expressions by which the number is recognised when
// its text is read back.
uintmax_t __sp_count_digits(uintmax_t magnitude, unsigned base);
uintmax_t __sp_digit(uintmax_t magnitude, unsigned base, size_t place, int ten);

// What is asked of a text that may begin with a number that was printed: only if it does, there is more to ask.
enum printed { RT_IS_PRINTED, RT_PRINTED_LENGTH, RT_PRINTED_MAGNITUDE, RT_PRINTED_SIGN, RT_PRINTED_VALUE };

uintmax_t __sp_printed(const char *text, int base, enum printed asked);

void __sp_mute(enum muted why);
void __sp_unmute(void);

// Stands first in a function whose work, up to its return, should be no matter of the path. Nothing, if paths are not
// explored.
#ifdef RT_FOLLOWED
static inline void __rt_unmute(const char *muted) {
  if (*muted) __sp_unmute();
}
#define RT_MUTED_IF(condition, why) \
  const char muted __attribute__((cleanup(__rt_unmute), unused)) = (condition) ? (__sp_mute(why), 1) : 0
#else
#define RT_MUTED_IF(condition, why) (void)0
#endif
#define RT_MUTED(why) RT_MUTED_IF(1, why)

// The program gets one of the answers that the world outside could give, or runs a command: noted while paths are
// explored, so that nobody takes them for all. `name` and `text` make a sentence.
enum outside { RT_ONE_ANSWER, RT_COMMAND };

void __sp_note(enum outside kind, const char *name, const char *text);

#ifdef RT_FOLLOWED
#define RT_NOTE(kind, name, text) __sp_note(kind, name, text)
#else
#define RT_NOTE(kind, name, text) (void)0
#endif
#define RT_ONE_RESULT(function) RT_NOTE(RT_ONE_ANSWER, function, "has one result in all runs")

// Ends the path at something that can't be run.
_Noreturn void __sp_unsupported(const char *what);

// Only while paths are explored: makes an area input, and excludes inputs for which a condition does not hold.
void __sp_make_input(void *area, size_t n, const char *name);
void __sp_assume(int condition);
// Whether a descriptor leads to a device of random bytes.
int __sp_random(int fd);

// Whether the program can read again what it writes to a descriptor: files and pipes while paths are explored.
int __sp_keeps(int fd);

// ---- Errors

// The kernel's convention to libc's: a negative result becomes errno and -1.
static inline long __rt_result(long result) {
  if (result >= 0) return result;
  errno = (int)-result;
  return -1;
}

// Whether the program has asked for a signal that may come at any time.
extern char __rt_interruptible;

static inline int __rt_fail(int error) {
  errno = error;
  return -1;
}

// A fortified function found that the destination is too small.
_Noreturn void __rt_chk_fail(void);

// The macro's name of an errno value, or null.
const char *__rt_error_name(int error);
// As strerror, for use inside the library.
const char *__rt_describe_error(int error);

// ---- Characters of the C locale, without the tables

static inline int __rt_is_digit(int c) { return c >= '0' && c <= '9'; }
static inline int __rt_is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline int __rt_is_upper(int c) { return c >= 'A' && c <= 'Z'; }
static inline int __rt_is_lower(int c) { return c >= 'a' && c <= 'z'; }
static inline int __rt_to_lower(int c) { return __rt_is_upper(c) ? c + ('a' - 'A') : c; }
static inline int __rt_to_upper(int c) { return __rt_is_lower(c) ? c - ('a' - 'A') : c; }

// Value of a digit in bases up to 36, or a number that is no digit in any base.
static inline unsigned __rt_digit_value(int c) {
  if (__rt_is_digit(c)) return (unsigned)(c - '0');
  c = __rt_to_lower(c);
  return __rt_is_lower(c) ? (unsigned)(c - 'a') + 10 : UINT_MAX;
}

// ---- Formatting

// Where formatted text goes. A narrow sink has `put`, a wide one `put_wide`; the formatter converts between them.
// Both return 0, or -1 with errno set.
struct sink {
  int (*put)(struct sink *, const char *text, size_t n);
  int (*put_wide)(struct sink *, const wchar_t *text, size_t n);
  void (*fill)(struct sink *, char c, size_t n);  // where that is no matter of chunks
};

// printf into a sink: the number of characters produced, or -1 with errno set. When `wide` is given, it is the real
// format and `format` its narrow shadow: same length, and equal wherever the unit is ASCII.
int __rt_format(struct sink *sink, const char *format, const wchar_t *wide, va_list args);
int __rt_vsnprintf(char *buf, size_t cap, const char *format, va_list args);
int __rt_vfprintf(FILE *stream, const char *format, va_list args);

// The narrow shadow of a wide format, from malloc, or null.
char *__rt_shadow(const wchar_t *format);

// One conversion specification.
struct directive {
  unsigned flags;
  int width;
  int precision;  // -1: none
  int width_arg, precision_arg, value_arg;
  enum length { LENGTH_CHAR, LENGTH_SHORT, LENGTH_INT, LENGTH_LONG, LENGTH_LONG_DOUBLE } length;
  char conversion;
};

enum directive_flag { LEFT = 1, PLUS = 2, SPACE = 4, ALTERNATE = 8, ZERO = 16, GROUP = 32 };

// Which argument a directive takes; a positive number is a position.
enum { NO_ARG = 0, NEXT_ARG = -1 };

// Passes over a length modifier. As in glibc, `ll` and `L` are the same, before integers and real numbers.
const char *__rt_parse_length(const char *p, enum length *length);
// Parses what follows a '%'. Null when a number is too large.
const char *__rt_parse_directive(const char *p, struct directive *d);

// An argument.
struct format_value {
  uintmax_t word;  // integers (sign-extended), pointers, and the bits of a double
  long double real;
};

// A formatting under way.
struct format {
  struct sink *sink;
  const char *text;
  const wchar_t *wide_text;
  va_list args;
  struct format_value *positional;  // null when arguments are taken in order
  int next_position;
  size_t count;
  int failed;
};

void __rt_format_fail(struct format *f, int error);
void __rt_format_literal(struct format *f, const char *start, size_t n);
// Converts one argument whose widths are known.
void __rt_format_convert(struct format *f, struct directive *d, const struct format_value *value);

// The body of a variadic function: `expression` with `args` holding the arguments after `last`.
#define RT_WITH_ARGS(last, expression) \
  va_list args;                        \
  int result;                          \
  va_start(args, last);                \
  result = expression;                 \
  va_end(args);                        \
  return result

// The text of a real number's magnitude under an e, f, g or a conversion. `start` may point to `local` or to the heap.
struct real_text {
  char *start;
  size_t length;
  char local[352];
};

// Fills in `text`; 0, or -1 with errno set. `conversion` is a lower-case letter; `as_double` says that the value came as
// a double, which %a normalises differently; `keep_point` is the # flag.
int __rt_real_to_text(struct real_text *text, long double value, int as_double, int conversion, int precision,
                      int keep_point);
void __rt_real_text_free(struct real_text *text);

// ---- Numbers in text

// The integer at the start of a text, after white space, as the strto* functions read it.
struct parsed_integer {
  uintmax_t magnitude;  // UINTMAX_MAX when too large
  size_t length;        // units consumed, 0 when there is no number
  int negative;
  int overflow;
  int printed;          // by us: `value` is the number itself
  uintmax_t value;
};

// Integer syntaxes: C2X added the 0b prefix.
enum integer_syntax { RT_C99_INTEGER, RT_C2X_INTEGER };

// The same for a number that was printed; `printed` is 0 if that is not known.
struct parsed_integer __rt_printed_integer(const char *text, int base);
// Reads `narrow`, or `wide` when that is given.
struct parsed_integer __rt_parse_integer(const char *narrow, const wchar_t *wide, int base, enum integer_syntax syntax);
// The value as the signed or unsigned functions return it, with errno set when it is out of range.
long __rt_signed_result(struct parsed_integer number);
unsigned long __rt_unsigned_result(struct parsed_integer number);

// Recognises a floating-point number character by character.
struct float_lexer {
  enum float_state {
    RT_FLOAT_START,
    RT_FLOAT_SIGNED,
    RT_FLOAT_ZERO,      // a leading 0, which may begin 0x
    RT_FLOAT_INTEGER,   // digits before the point
    RT_FLOAT_FRACTION,  // the point and digits after it
    RT_FLOAT_EXPONENT,  // just after e or p
    RT_FLOAT_EXPONENT_SIGN,
    RT_FLOAT_EXPONENT_DIGITS,
    RT_FLOAT_INFINITY,
    RT_FLOAT_NAN,
  } state;
  size_t seen;       // characters accepted
  size_t valid;      // length of the longest accepted prefix that is a number
  int negative;
  int hex;
  int any_digit;     // a mantissa digit was seen
  int word_position; // letters of "infinity" or "nan" accepted
};

// Whether `c` continues the number and was taken; if not, the lexer stays as it was.
int __rt_float_accepts(struct float_lexer *lexer, int c);

enum float_kind { RT_FLOAT, RT_DOUBLE, RT_LONG_DOUBLE };

// The value of the number that a lexer found at `text`, with errno set as strtod does.
long double __rt_float_value(const struct float_lexer *lexer, const char *text, enum float_kind kind);

// ---- Scanning

// Where scanf reads. `get` gives a byte, or a wide character when `wide`, or EOF; one can be put back.
struct scan_source {
  int (*get)(struct scan_source *);
  void (*unget)(struct scan_source *, int c);
  int wide;
  const char **string;  // what is left of a string, if it is one
};

// Meanings of a format: in the first, %as allocates; in the last, %i knows 0b.
enum scan_dialect { RT_SCAN_GNU, RT_SCAN_C99, RT_SCAN_C2X };

// scanf from a source: the number of assignments, or EOF. `format` and `wide` are as for __rt_format.
int __rt_scan(struct scan_source *source, enum scan_dialect dialect, const char *format, const wchar_t *wide,
              va_list args);

// A scan under way.
struct scan {
  struct scan_source *source;
  enum scan_dialect dialect;
  const char *text;
  const wchar_t *wide_text;
  va_list args;
  size_t consumed;
  int assigned;
};

// One conversion specification of scanf.
struct scan_directive {
  int position;  // of its argument, or 0
  int suppressed, allocates;
  size_t width;  // SIZE_MAX: none
  enum length length;
  char conversion;
  const char *set;  // of %[: first character after the bracket and ^
  size_t set_length;
  int set_negated;
};

// How a conversion went. Input fails at the end of the input, matching on a character that does not fit.
enum scan_outcome { RT_SCAN_DONE, RT_SCAN_NO_INPUT, RT_SCAN_NO_MATCH };

int __rt_scan_get(struct scan *s);
void __rt_scan_unget(struct scan *s, int c);
void *__rt_scan_target(struct scan *s, const struct scan_directive *d);
// A number that was printed, without a look at its digits; 0 if it is none.
int __rt_scan_printed(struct scan *s, const struct scan_directive *d);
enum scan_outcome __rt_scan_integer(struct scan *s, const struct scan_directive *d);
enum scan_outcome __rt_scan_real(struct scan *s, const struct scan_directive *d);
enum scan_outcome __rt_scan_text(struct scan *s, const struct scan_directive *d);

// ---- Streams

struct stream;

// What a stream reads from and writes to. Results follow the primitives: negative errno on failure.
struct device {
  long (*read)(struct stream *, char *buf, size_t n);
  long (*write)(struct stream *, const char *buf, size_t n);
  long (*seek)(struct stream *, long offset, int whence);
  long (*close)(struct stream *);
};

// Until the first transfer shows whether the stream is a terminal.
enum { RT_UNDECIDED = -1 };

// What is written to a dropped stream is read by nobody.
enum stream_access { RT_READABLE = 1, RT_WRITABLE = 2, RT_APPENDING = 4, RT_DROPPED = 8 };

// A FILE. The header's get and put areas stay empty for good, so that its inline getc_unlocked and putc_unlocked always
// call __uflow and __overflow; end-of-file and error are the header's bits in `pub._flags`.
struct stream {
  FILE pub;
  const struct device *device;
  void *cookie;             // for the device's use
  unsigned access;          // enum stream_access bits
  int buffering;            // _IOFBF, _IOLBF, _IONBF or RT_UNDECIDED
  int owns_buffer;
  int is_static;            // one of the three standard streams
  enum { RT_IDLE, RT_READING, RT_WRITING } phase;
  char *buffer;             // null until the first transfer
  size_t capacity;
  size_t position;          // reading: next byte; writing: bytes that wait
  size_t end;               // reading: end of the bytes read
  char *pushed;             // ungetc's bytes that differ from what was read, last in first out
  size_t n_pushed;
  size_t pushed_capacity;
  struct stream *next;      // in the list of open streams
};

static inline struct stream *__rt_stream(FILE *file) { return (struct stream *)file; }

extern const struct device __rt_descriptor_device;

// Whether nobody reads what is written to a stream.
int __rt_is_output(const struct stream *stream);

// A new stream in the list of open ones, or null.
struct stream *__rt_stream_new(const struct device *device, unsigned access);
// The same over a file descriptor.
struct stream *__rt_stream_over(int fd, unsigned access);
int __rt_close(struct stream *stream);
void __rt_ensure_buffer(struct stream *stream);
void __rt_free_buffers(struct stream *stream);

// Sets a flag, and errno if an error is given; -1.
static inline int __rt_mark(struct stream *stream, int flag, int error) {
  stream->pub._flags |= flag;
  if (error) errno = error;
  return -1;
}

// Bytes that were read from the device but not yet by the program.
static inline size_t __rt_unread(const struct stream *stream) {
  return stream->end - stream->position + stream->n_pushed;
}

// Transfers. Counts are short only at the end or after an error, which the stream's flags then tell.
size_t __rt_put(struct stream *stream, const char *text, size_t n);
size_t __rt_get(struct stream *stream, char *buf, size_t n);
int __rt_putc(struct stream *stream, int c);
int __rt_getc(struct stream *stream);
int __rt_ungetc(struct stream *stream, int c);
// Bytes that can be read without a transfer, of which there is at least one unless the stream ended; `__rt_skip` passes
// over them.
size_t __rt_peek(struct stream *stream, const char **bytes);
void __rt_skip(struct stream *stream, size_t n);

// Writes what waits; 0, or -1 with what is left still waiting.
int __rt_write_buffer(struct stream *stream);
// Writes what waits or gives back what was read ahead, so that the device stands where the program does. 0 or -1.
int __rt_settle(struct stream *stream);
int __rt_flush(struct stream *stream);
int __rt_flush_all(void);
long __rt_seek(struct stream *stream, long offset, int whence);
long __rt_tell(struct stream *stream);
// Sets a stream's orientation (-1 bytes, 1 wide) if it has none; whether it is the one asked for.
int __rt_orient(struct stream *stream, int mode);

// fopen's mode string as open flags, or -1.
int __rt_parse_mode(const char *mode, unsigned *access);

// Set by the stream code once there is output to flush, so that programs without streams need none of it.
extern void (*__rt_exit_flush)(void);

// ---- Names in messages of the domain name system: labels with their lengths, which may go on elsewhere in the message

// As dn_expand and dn_skipname: the length of a name in the message, or -1 with errno set.
int __rt_expand_name(const unsigned char *message, const unsigned char *end, const unsigned char *name, char *buf,
                     size_t n);
int __rt_skip_name(const unsigned char *name, const unsigned char *end);

// ---- Others

// As getenv, for what the library itself wants to know.
char *__rt_getenv(const char *name);

// Tells error messages what the program was started as.
void __rt_name_program(char *path);

// One wide character to a byte and back, -1 when the C locale has none.
static inline int __rt_narrow(wint_t c) { return c < 0x80 ? (int)c : -1; }
static inline wint_t __rt_widen(int c) { return c >= 0 && c < 0x80 ? (wint_t)c : WEOF; }

#endif
