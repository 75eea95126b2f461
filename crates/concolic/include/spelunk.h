// Harness functions of Spelunk.
//
// A program that calls these is explored with all values of the inputs that it asks for. Each input has a name, which
// generated tests use; a name that is used again stands for a further input.

#ifndef SPELUNK_H
#define SPELUNK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Makes the bytes of an area input.
void spelunk_make_symbolic(void *area, size_t size, const char *name);

// Makes a buffer of at least max + 1 bytes a string of at most max characters. The first `head` of them are of interest by
// themselves, the others mostly for being there; all can be any.
void spelunk_string(char *buffer, unsigned head, unsigned max);

// Numbers as input.
_Bool spelunk_bool(const char *name);
signed char spelunk_char(const char *name);
unsigned char spelunk_uchar(const char *name);
short spelunk_short(const char *name);
unsigned short spelunk_ushort(const char *name);
int spelunk_int(const char *name);
unsigned spelunk_uint(const char *name);
long spelunk_long(const char *name);
unsigned long spelunk_ulong(const char *name);
float spelunk_float(const char *name);
double spelunk_double(const char *name);

// A number from first to last, both included.
long spelunk_range(long first, long last, const char *name);

// Only inputs for which the condition holds are of interest: for others the path ends here, without a test.
void spelunk_assume(_Bool condition);

// Whether it was decided where a pointer of the input leads. Only a function that checks a heap which is decided on demand
// (`when … check FN` in a HEX file) ever gets 0.
int spelunk_is_decided(const void *pointer);

// A rule for the heap, beside a structure, a member or a parameter: SPELUNK_HEX(".next.prev is this").
#define SPELUNK_HEX(rule) __attribute__((btf_decl_tag("hex " rule)))

// An input for which the condition does not hold is reported as a bug.
#define spelunk_assert(condition) ((condition) ? (void)0 : spelunk_fail(#condition))

_Noreturn void spelunk_fail(const char *condition);

#ifdef __cplusplus
}
#endif

#endif
