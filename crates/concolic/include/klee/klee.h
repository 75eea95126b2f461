// The functions of KLEE that Spelunk knows, so that programs written for KLEE compile where KLEE is not installed.

#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Input.
void klee_make_symbolic(void *area, size_t size, const char *name);
int klee_range(int begin, int end, const char *name);
int klee_int(const char *name);
uintptr_t klee_choose(uintptr_t n);

// What is expected of it.
void klee_assume(uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

// Ends of a path.
_Noreturn void klee_silent_exit(int status);
_Noreturn void klee_abort(void);
_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix);

// Questions.
unsigned klee_is_symbolic(uintptr_t value);
unsigned klee_is_replay(void);
size_t klee_get_obj_size(void *object);
int klee_get_errno(void);
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);
void klee_check_memory_access(const void *address, size_t size);

// Advice to KLEE's search and messages of its own, which have no effect here.
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_merge(void);
void klee_set_forking(unsigned enable);
void klee_stack_trace(void);
void klee_mark_global(void *object);

void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
    __attribute__((__noreturn__));
#define klee_assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))

#ifdef __cplusplus
}
#endif

#endif
