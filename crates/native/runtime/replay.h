// The runtime that runs tests natively: what its parts share.
//
// It is linked with the user's program, so every name in it is `static` or starts with `spelunk_`, and every function that
// a program may define itself is weak.

#ifndef SPELUNK_REPLAY_H
#define SPELUNK_REPLAY_H

#include "inputs.h"

// One call of a unit: made by the code that is generated for the unit's functions.
// One of several is made in a step if a parameter says which.
struct spelunk_call {
  int role, step, choice;
  long (*invoke)(void **params);
};

enum { ROLE_ASSUME = 1, ROLE_TEST = 2, ROLE_ENSURE = 3 };

// Generated; a whole program has none.
extern const struct spelunk_call spelunk_calls[];
extern const unsigned spelunk_n_calls;

// Generated: where the objects of the input are that are variables of the program, and null for others; one more than there
// are parameters. And the functions that pointers of the input may lead to.
extern void *(*const spelunk_variables[])(void);
extern void *(*const spelunk_functions[])(void);

// Generated: tests that are said never to leave a loop, with the number of its head, and what they stay in there, if C can say it.
struct spelunk_endless {
  uint32_t test, head, every;
  int (*is_in_set)(const unsigned char *const *variables);
  // Null if no code was found that is the loop; else its first byte says whether the variables of the set were found too.
  const char *is_there;
};

extern const struct spelunk_endless spelunk_endless[];
extern const unsigned spelunk_n_endless;

// Targets of references from here on are functions.
#define FIRST_FUNCTION 0x80000000u
// The object that an input is which is none of the graph.
#define NO_OBJECT 0xffffffffu
// In what a run was seen to do: anything but null.
#define ELSEWHERE 0xffffffffu
// The same: null.
#define NOWHERE 0xfffffffeu

struct reference {
  uint32_t offset, target;
  uint64_t at;
};

struct object {
  struct bytes content;
  // More than the content if zeros follow.
  uint32_t size, n_references;
  struct reference *references;
  // Where it has to be, if that is not 0, and where it is in this process.
  uint64_t wanted;
  unsigned char *address;
};

// Bytes of memory that is not initialised, and a number for where that is declared or allocated.
struct unset {
  uint64_t place;
  uint32_t offset;
  struct bytes content;
};

struct file {
  struct bytes name, content;
};

// Something that the run was seen to do. `which` is the number of a result or of an object.
struct expectation {
  uint32_t kind, which, n_references;
  struct bytes content, known;
  struct reference *references;
};

enum { EXPECT_RESULT = 1, EXPECT_CONTENT = 2, EXPECT_FREED = 3 };

struct test {
  // Of the unit only so many steps are made.
  uint32_t id, stack_size, n_steps;
  uint32_t n_args, n_files, n_objects, n_params, n_results, n_inputs, n_expectations;
  uint32_t has_stdin;
  struct bytes *args, standard_input;
  struct file *files;
  // The graph: parameters first, then what functions without a definition return.
  struct object *objects;
  // What the program asks for, in that order, and which object of the graph each of it is.
  struct input *inputs;
  uint32_t *results;
  struct expectation *expectations;
};

// tests.c: reading the tests.
void spelunk_open_tests(const char *path);
uint32_t spelunk_n_tests(void);
struct test spelunk_read_test(uint32_t number);
// Memory that is not of the heap that the program sees.
void *spelunk_reserve(size_t size);

// log.c: what the runtime itself notices.
enum { MAX_TEXT = 1 << 18 };
// What is known of a test besides how it ended.
struct spelunk_result {
  uint32_t n_log, n_report, n_profile;
  // Visits of the head of a loop: all, since it was last entered, in a row with the state in the set; how often that was left.
  struct spelunk_rounds {
    uint64_t all, in_loop, in_set, left;
  } rounds;
  // Why it could not be run, if that is so.
  int error;
  char path[1024];
  char log[MAX_TEXT], report[MAX_TEXT];
  char profile[];
};
extern struct spelunk_result *spelunk_result;
int spelunk_share_result(void);
void spelunk_write_profile(void);
// That something is not as it was observed: its number, and the byte that differs.
void spelunk_log_value(uint32_t number, uint32_t offset, unsigned char byte);
// That memory which is not initialised has what the test says.
void spelunk_log_handed(uint32_t number);

// heap.c: how much there is, and what nothing leads to.
void spelunk_watch_heap(uint64_t limit, int finds_leaks);
void spelunk_note_leaks(void *const *roots, unsigned n_roots, void *stack_base);
extern int spelunk_is_allocating_input;

// files.c: what a test finds in its directory. The first returns 0 if that can't be written.
int spelunk_copy_files(const char *from, const char *to);
void spelunk_remove_files(const char *dir);

// stack.c
void spelunk_give_stack(uint64_t size);

// heads.c
void spelunk_watch_loop(uint32_t test);
void spelunk_note_rounds(void);

// uninitialised.c
void spelunk_set_uninitialised(const struct unset *unset, uint32_t n_unset);

// unit.c
// Whether objects are to be elsewhere than they usually are.
extern int spelunk_is_moved;
// Objects that functions return which nobody defines, those of a unit's parameters, and what pointers in them lead to.
void spelunk_make_objects(const struct test *test);
void spelunk_run_unit(const struct test *test);
void spelunk_keep_result(const void *result, size_t size);
uintptr_t spelunk_target_of(const struct test *test, const struct reference *reference);

// observed.c
void spelunk_expect(const struct test *test);
void spelunk_compare_result(const void *result, size_t size);
void spelunk_compare_objects(void);

#endif
