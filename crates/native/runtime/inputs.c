// The functions by which programs ask for input and say what they expect, with the values of a test in the order in which
// they are asked for. A program may define any of them itself.

#include "inputs.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OURS __attribute__((weak))
// What they are called with is an interface, whether it is looked at or not.
#pragma GCC diagnostic ignored "-Wunused-parameter"

static const struct input *inputs;
static uint32_t n_left;

void spelunk_set_inputs(const struct input *all, uint32_t count) {
  inputs = all;
  n_left = count;
}

// Whether an input is what a device of random bytes gives, which is handed out when it is opened.
static int is_of_device(const struct input *input) {
  static const char name[] = "/dev/urandom";
  size_t len = sizeof name - 1;
  return input->name.len >= len && memcmp(input->name.data, name, len) == 0 &&
         (input->name.len == len || input->name.data[len] == '#');
}

static void pass_devices(void) {
  while (n_left > 0 && is_of_device(inputs)) {
    inputs++;
    n_left--;
  }
}

void spelunk_write_random(int fd) {
  for (uint32_t i = 0; i < n_left; i++)
    if (is_of_device(&inputs[i]) && write(fd, inputs[i].content.data, inputs[i].content.len) < 0)
      spelunk_log("more-input", NULL, 0);
}

static void take(void *to, size_t size) {
  memset(to, 0, size);
  pass_devices();
  if (size == 0)
    return;
  if (n_left == 0) {
    spelunk_log("more-input", NULL, 0);
    return;
  }
  if (inputs->content.len != size)
    spelunk_log("other-input", NULL, 0);
  memcpy(to, inputs->content.data, inputs->content.len < size ? inputs->content.len : size);
  inputs++;
  n_left--;
}

static void exclude(void) {
  spelunk_log("excluded", NULL, 0);
  spelunk_stop(0);
}

#define FAIL(kind)                                                                                                     \
  do {                                                                                                                 \
    NOTE(kind);                                                                                                        \
    spelunk_stop(0);                                                                                                   \
  } while (0)

#define NUMBER(type, name, ...)                                                                                        \
  OURS type name(__VA_ARGS__) {                                                                                        \
    type value;                                                                                                        \
    take(&value, sizeof value);                                                                                        \
    return value;                                                                                                      \
  }

#define TRUTH(name, ...)                                                                                               \
  OURS _Bool name(__VA_ARGS__) {                                                                                       \
    unsigned char value;                                                                                               \
    take(&value, 1);                                                                                                   \
    return value & 1;                                                                                                  \
  }

OURS void klee_make_symbolic(void *area, size_t size, const char *name) {
  (void)name;
  take(area, size);
}
OURS void spelunk_make_symbolic(void *area, size_t size, const char *name) {
  (void)name;
  take(area, size);
}
OURS void spelunk_string(char *buffer, unsigned head, unsigned max) {
  (void)head;
  take(buffer, max);
  buffer[max] = '\0';
}
OURS void __VERIFIER_nondet_memory(void *area, size_t size) { take(area, size); }

NUMBER(int, klee_int, const char *name)
OURS int klee_range(int begin, int end, const char *name) {
  (void)name;
  if (begin >= end)
    FAIL("reported-error");
  int value;
  take(&value, sizeof value);
  if (value < begin || value >= end)
    exclude();
  return value;
}
OURS uintptr_t klee_choose(uintptr_t n) {
  if (n == 0)
    FAIL("reported-error");
  uintptr_t value;
  take(&value, sizeof value);
  if (value >= n)
    exclude();
  return value;
}
OURS long spelunk_range(long first, long last, const char *name) {
  (void)name;
  if (first > last)
    FAIL("reported-error");
  long value;
  take(&value, sizeof value);
  if (value < first || value > last)
    exclude();
  return value;
}

OURS int spelunk_is_decided(const void *pointer) {
  (void)pointer;
  return 1;
}

TRUTH(spelunk_bool, const char *name)
NUMBER(signed char, spelunk_char, const char *name)
NUMBER(unsigned char, spelunk_uchar, const char *name)
NUMBER(short, spelunk_short, const char *name)
NUMBER(unsigned short, spelunk_ushort, const char *name)
NUMBER(int, spelunk_int, const char *name)
NUMBER(unsigned, spelunk_uint, const char *name)
NUMBER(long, spelunk_long, const char *name)
NUMBER(unsigned long, spelunk_ulong, const char *name)
NUMBER(float, spelunk_float, const char *name)
NUMBER(double, spelunk_double, const char *name)

TRUTH(__VERIFIER_nondet_bool, void)
TRUTH(__VERIFIER_nondet__Bool, void)
NUMBER(char, __VERIFIER_nondet_char, void)
NUMBER(signed char, __VERIFIER_nondet_schar, void)
NUMBER(unsigned char, __VERIFIER_nondet_uchar, void)
NUMBER(unsigned char, __VERIFIER_nondet_u8, void)
NUMBER(signed char, __VERIFIER_nondet_S8, void)
NUMBER(unsigned char, __VERIFIER_nondet_U8, void)
NUMBER(unsigned char, __VERIFIER_nondet_msg_t, void)
NUMBER(short, __VERIFIER_nondet_short, void)
NUMBER(unsigned short, __VERIFIER_nondet_ushort, void)
NUMBER(unsigned short, __VERIFIER_nondet_u16, void)
NUMBER(short, __VERIFIER_nondet_S16, void)
NUMBER(unsigned short, __VERIFIER_nondet_U16, void)
NUMBER(int, __VERIFIER_nondet_int, void)
NUMBER(unsigned, __VERIFIER_nondet_uint, void)
NUMBER(unsigned, __VERIFIER_nondet_u32, void)
NUMBER(unsigned, __VERIFIER_nondet_unsigned, void)
NUMBER(int, __VERIFIER_nondet_S32, void)
NUMBER(unsigned, __VERIFIER_nondet_U32, void)
NUMBER(float, __VERIFIER_nondet_float, void)
NUMBER(long, __VERIFIER_nondet_long, void)
NUMBER(unsigned long, __VERIFIER_nondet_ulong, void)
NUMBER(long long, __VERIFIER_nondet_longlong, void)
NUMBER(unsigned long long, __VERIFIER_nondet_ulonglong, void)
NUMBER(unsigned long, __VERIFIER_nondet_u64, void)
NUMBER(long, __VERIFIER_nondet_S64, void)
NUMBER(unsigned long, __VERIFIER_nondet_U64, void)
NUMBER(long, __VERIFIER_nondet_loff_t, void)
NUMBER(unsigned long, __VERIFIER_nondet_size_t, void)
NUMBER(long, __VERIFIER_nondet_ssize_t, void)
NUMBER(long, __VERIFIER_nondet_off_t, void)
NUMBER(double, __VERIFIER_nondet_double, void)
NUMBER(void *, __VERIFIER_nondet_pointer, void)
NUMBER(char *, __VERIFIER_nondet_pchar, void)
NUMBER(char *, __VERIFIER_nondet_charp, void)
NUMBER(const char *, __VERIFIER_nondet_const_char_pointer, void)
NUMBER(unsigned long, __VERIFIER_nondet_sector_t, void)
NUMBER(unsigned long, __VERIFIER_nondet_pthread_t, void)

static unsigned __int128 take_wide(void) {
  uint64_t low, high;
  take(&low, sizeof low);
  take(&high, sizeof high);
  return (unsigned __int128)high << 64 | low;
}
OURS unsigned __int128 __VERIFIER_nondet_u128(void) { return take_wide(); }
OURS unsigned __int128 __VERIFIER_nondet_uint128(void) { return take_wide(); }
OURS __int128 __VERIFIER_nondet_int128(void) { return (__int128)take_wide(); }

OURS void klee_assume(uintptr_t condition) {
  if (!condition)
    exclude();
}
OURS void spelunk_assume(_Bool condition) {
  if (!condition)
    exclude();
}
OURS void __VERIFIER_assume(int condition) {
  if (!condition)
    exclude();
}
OURS void klee_silent_exit(int status) {
  (void)status;
  exclude();
}

OURS void klee_assert(int condition) {
  if (!condition)
    FAIL("assert");
}
OURS void klee_assert_fail(const char *condition, const char *file, unsigned line, const char *function) {
  (void)condition, (void)file, (void)line, (void)function;
  FAIL("assert");
}
OURS void __VERIFIER_assert(int condition) {
  if (!condition)
    FAIL("assert");
}
OURS void spelunk_fail(const char *condition) {
  (void)condition;
  FAIL("assert");
}
OURS void __VERIFIER_error(void) { FAIL("reach-error"); }
OURS void reach_error(void) { FAIL("reach-error"); }
OURS void klee_abort(void) { FAIL("abort"); }
OURS void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)file, (void)line, (void)message, (void)suffix;
  FAIL("reported-error");
}

OURS unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  return 1;
}
OURS unsigned klee_is_replay(void) { return 0; }
OURS size_t klee_get_obj_size(void *object) { return malloc_usable_size(object); }
OURS int klee_get_errno(void) { return errno; }
OURS float klee_get_valuef(float value) { return value; }
OURS double klee_get_valued(double value) { return value; }
OURS long klee_get_valuel(long value) { return value; }
OURS long long klee_get_valuell(long long value) { return value; }
OURS int32_t klee_get_value_i32(int32_t value) { return value; }
OURS int64_t klee_get_value_i64(int64_t value) { return value; }
OURS void klee_check_memory_access(const void *address, size_t size) {
  for (size_t i = 0; i < size; i++)
    (void)((const volatile char *)address)[i];
}

#define NOTHING(name, ...)                                                                                             \
  OURS void name(__VA_ARGS__) {}
NOTHING(klee_prefer_cex, void *object, uintptr_t condition)
NOTHING(klee_posix_prefer_cex, void *object, uintptr_t condition)
NOTHING(klee_print_expr, const char *message, ...)
NOTHING(klee_print_range, const char *name, int value)
NOTHING(klee_warning, const char *message)
NOTHING(klee_warning_once, const char *message)
NOTHING(klee_open_merge, void)
NOTHING(klee_close_merge, void)
NOTHING(klee_merge, void)
NOTHING(klee_set_forking, unsigned enable)
NOTHING(klee_stack_trace, void)
NOTHING(klee_mark_global, void *object)
NOTHING(__VERIFIER_atomic_begin, void)
NOTHING(__VERIFIER_atomic_end, void)

// What functions that nobody defines return.

enum { OBJECT_SIZE = 256 };

void spelunk_stub_number(void *place, unsigned n_bits) {
  unsigned char *to = place;
  for (unsigned done = 0; done < n_bits; done += 64) {
    unsigned width = n_bits - done < 64 ? n_bits - done : 64;
    take(to + done / 8, (width + 7) / 8);
    if (width % 8)
      to[(done + width) / 8] &= (unsigned char)((1 << width % 8) - 1);
  }
}

void spelunk_stub_pointer(void *place) {
  void **to = place;
  unsigned char is_there;
  take(&is_there, 1);
  *to = (void *)(uintptr_t)(is_there & 1);
}

void spelunk_stub_object(void *place) {
  void **to = place;
  if (!*to)
    return;
  *to = malloc(OBJECT_SIZE);
  take(*to, OBJECT_SIZE);
}

void spelunk_stub_area(void *area, size_t size) { take(area, size); }

// Whether the next input is of this name, whatever its number. What is behind a pointer of a known type is a call's: `(*find)()`.
static int is_next(const char *prefix, const char *name) {
  size_t n_before = strlen(prefix), len = n_before + strlen(name);
  pass_devices();
  if (n_left == 0 || inputs->name.len < len)
    return 0;
  const char *next = (const char *)inputs->name.data;
  if (strncmp(next, prefix, n_before) != 0 || strncmp(next + n_before, name, len - n_before) != 0)
    return 0;
  if (inputs->name.len >= len + 2 && strncmp(next + len, "()", 2) == 0)
    len += 2;
  return inputs->name.len == len || next[len] == '#';
}

// What a function returns that stands in for a pointer of the input. What is asked for is known from the input alone: nothing
// if the function returns nothing, a byte that says whether there is an object if it returns a pointer to what has no type, a number or
// pointer otherwise.
uint64_t spelunk_stub_any(const char *name) {
  uint64_t value = 0;
  if (!is_next("", name))
    return 0;
  size_t size = inputs->content.len;
  take(&value, size < sizeof value ? size : sizeof value);
  if (size == 1 && is_next("*", name)) {
    void *object = (void *)(uintptr_t)(value & 1);
    spelunk_stub_object(&object);
    return (uint64_t)(uintptr_t)object;
  }
  return value;
}
