// What the functions that a program asks for input need of whoever runs them.

#ifndef SPELUNK_INPUTS_H
#define SPELUNK_INPUTS_H

#include <stddef.h>
#include <stdint.h>

struct bytes {
  uint32_t len;
  const unsigned char *data;
};

struct input {
  struct bytes name, content;
};

// What the program will ask for, in that order.
void spelunk_set_inputs(const struct input *inputs, uint32_t n_inputs);

// What functions that nobody defines return.
void spelunk_stub_number(void *to, unsigned n_bits);
void spelunk_stub_pointer(void *to);
void spelunk_stub_object(void *to);
void spelunk_stub_area(void *area, size_t size);
uint64_t spelunk_stub_any(const char *name);
// Writes what devices of random bytes give to a file.
void spelunk_write_random(int fd);

// Defined by whoever runs tests: notes what was noticed, with the addresses of the call stack, innermost first.
void spelunk_log(const char *kind, void *const *trace, int n_frames);
// Notes it with the place in the user's code that called.
#define NOTE(kind)                                                                                                     \
  do {                                                                                                                 \
    void *caller_ = __builtin_return_address(0);                                                                       \
    spelunk_log(kind, &caller_, 1);                                                                                    \
  } while (0)
// Defined by whoever runs tests: ends the process at once, with what has to be written before.
_Noreturn void spelunk_stop(int status);

#endif
