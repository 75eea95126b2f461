/* What exported tests are written with: objects of their input, and what is expected of a result.
 *
 * It stands behind the program's own code, which may have names of any kind: so it includes no other header, and all that it
 * defines starts with `spelunk_` or `expect_`. */

#ifndef SPELUNK_TEST_H
#define SPELUNK_TEST_H

#ifndef NULL
#define NULL ((void *)0)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Objects that the program may read, write and free. Each is as large as said, so that sanitizers see what goes beyond. */
#define spelunk_new(type, ...) ((type *)spelunk_copy(&(type){__VA_ARGS__}, sizeof(type), sizeof(type)))
#define spelunk_sized(type, size, ...) ((type *)spelunk_copy(&(type){__VA_ARGS__}, sizeof(type), size))
#define spelunk_array(type, count, ...)                                                                                \
  ((type *)spelunk_copy((type[count]){__VA_ARGS__}, (count) * sizeof(type), (count) * sizeof(type)))
/* The bytes of a string literal, then zeros. */
#define spelunk_bytes(size, literal) spelunk_copy(literal, sizeof literal - 1, size)
/* A string literal so many times. */
#define spelunk_x10(literal) literal literal literal literal literal literal literal literal literal literal
#define spelunk_x100(literal) spelunk_x10(spelunk_x10(literal))
#define spelunk_x1000(literal) spelunk_x10(spelunk_x100(literal))
#define spelunk_x10000(literal) spelunk_x10(spelunk_x1000(literal))

void *spelunk_copy(const void *content, __SIZE_TYPE__ n_bytes, __SIZE_TYPE__ size);
/* Puts something where the program's type has no name for it. */
#define spelunk_fill(place, literal) spelunk_put(place, literal, sizeof literal - 1)
void spelunk_put(void *place, const void *content, __SIZE_TYPE__ n_bytes);
void spelunk_put_pointer(void *object, __SIZE_TYPE__ offset, const void *value);
/* Floats that have no literal, by their bits. */
float spelunk_float_of(unsigned bits);
double spelunk_double_of(unsigned long long bits);

/* What the program asks for, in the order in which it does: through functions of its harness, and from functions that nobody
 * defines. */
void spelunk_next_number(const char *name, __SIZE_TYPE__ n_bytes, long long value);
#define spelunk_next_bytes(name, size, literal) spelunk_next(name, size, spelunk_bytes(size, literal))
void spelunk_next(const char *name, __SIZE_TYPE__ size, const void *content);
#define spelunk_stdin(size, literal) spelunk_set_stdin(size, spelunk_bytes(size, literal))
void spelunk_set_stdin(__SIZE_TYPE__ size, const void *content);
#define spelunk_file(name, size, literal) spelunk_add_file(name, size, spelunk_bytes(size, literal))
void spelunk_add_file(const char *name, __SIZE_TYPE__ size, const void *content);

/* Runs the program's own `main` in a process and directory of its own. Returns its exit status; if a signal ended it, 256 and
 * the signal's number. */
int spelunk_run_program(int argc, const char *const *argv);

/* The test was proved never to leave a loop, by a set of states that it stays in: it fails if a run is in that set for a million
 * visits of the loop in a row. */
void expect_to_leave_loop(int test);
/* Called at the head of a loop, with the addresses of variables. */
void spelunk_at_loop(int loop, int n_variables, ...);

struct spelunk_loop {
  int test, loop;
  /* The rounds after which a state of the set is followed by another. */
  int every;
  int (*is_in_set)(const unsigned char *const *variables);
  const char *place, *condition;
};

/* What must hold. A test ends at the first that does not. */
#define expect_true(condition) ((condition) ? (void)0 : spelunk_fail_at(__FILE__, __LINE__, #condition))
#define expect_int(actual, expected) spelunk_expect_int(__FILE__, __LINE__, #actual, actual, expected)
#define expect_uint(actual, expected) spelunk_expect_uint(__FILE__, __LINE__, #actual, actual, expected)
#define expect_float(actual, expected) spelunk_expect_float(__FILE__, __LINE__, #actual, actual, expected)
#define expect_ptr(actual, expected)                                                                                   \
  spelunk_expect_ptr(__FILE__, __LINE__, #actual, (const volatile void *)(actual), (const volatile void *)(expected))
#define expect_bytes(actual, literal)                                                                                  \
  spelunk_expect_bytes(__FILE__, __LINE__, #actual, (const volatile void *)(actual), literal, sizeof literal - 1)
/* The program ends by itself: no signal, no sanitizer. */
#define expect_end(status) expect_true((status) < 256)

void spelunk_fail_at(const char *file, int line, const char *what);
void spelunk_expect_int(const char *file, int line, const char *what, long long actual, long long expected);
void spelunk_expect_uint(const char *file, int line, const char *what, unsigned long long actual,
                         unsigned long long expected);
void spelunk_expect_float(const char *file, int line, const char *what, long double actual, long double expected);
void spelunk_expect_ptr(const char *file, int line, const char *what, const volatile void *actual,
                        const volatile void *expected);
void spelunk_expect_bytes(const char *file, int line, const char *what, const volatile void *actual,
                          const void *expected, __SIZE_TYPE__ n_bytes);

/* How a test of the table ends if it passes: with this status, or, for those that a bug has kept from their end, somehow. */
enum { SPELUNK_ANY_STATUS = -1 };

struct spelunk_test {
  const char *name;
  void (*run)(void);
  int status;
};

/* Ends with an element without a name. */
extern const struct spelunk_test spelunk_tests[];

/* Runs all tests, or those that are named by name or number, each in a process of its own. `run` runs the one of a number and
 * returns 0 if it passes; without it, the function of the table is called. Returns 0 if all passed. */
int spelunk_main(int argc, char **argv, int (*run)(int number));
/* Runs one test so; 0 if it passes. */
int spelunk_run_alone(const char *name);
int spelunk_is_wanted(int argc, char **argv, const char *name);

#ifdef __cplusplus
}
#endif

#endif
