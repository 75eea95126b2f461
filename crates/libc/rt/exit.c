// How a program ends in good order: handlers in reverse order of registration, then the streams.

#include "rt.h"

#include <unistd.h>

void (*__rt_exit_flush)(void);

struct handler {
  enum { PLAIN, WITH_ARGUMENT, WITH_STATUS } kind;
  void *function;
  void *argument;
};

enum { N_FIXED = 32 };

struct handlers {
  struct handler fixed[N_FIXED];
  struct handler *more;  // those after the first N_FIXED
  size_t count, more_capacity;
};

static struct handlers at_exit, at_quick_exit_;

static struct handler *slot(struct handlers *list, size_t i) {
  return i < N_FIXED ? &list->fixed[i] : &list->more[i - N_FIXED];
}

static int add(struct handlers *list, struct handler handler) {
  if (list->count == N_FIXED + list->more_capacity) {
    size_t capacity = list->more_capacity * 2 + N_FIXED;
    struct handler *grown = realloc(list->more, capacity * sizeof *grown);
    if (!grown) return -1;
    list->more = grown;
    list->more_capacity = capacity;
  }
  *slot(list, list->count++) = handler;
  return 0;
}

static void call(const struct handler *handler, int status) {
  switch (handler->kind) {
    case PLAIN: ((void (*)(void))handler->function)(); break;
    case WITH_ARGUMENT: ((void (*)(void *))handler->function)(handler->argument); break;
    case WITH_STATUS: ((void (*)(int, void *))handler->function)(status, handler->argument); break;
  }
}

// A handler may add handlers, or call exit again, which goes on with the rest.
static void run(struct handlers *list, int status) {
  while (list->count > 0) {
    struct handler handler = *slot(list, --list->count);
    call(&handler, status);
  }
}

int atexit(void (*function)(void)) { return add(&at_exit, (struct handler){PLAIN, (void *)function, NULL}); }

int on_exit(void (*function)(int, void *), void *argument) {
  return add(&at_exit, (struct handler){WITH_STATUS, (void *)function, argument});
}

int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  (void)library;
  return add(&at_exit, (struct handler){WITH_ARGUMENT, (void *)function, argument});
}

void __cxa_finalize(void *library) {
  if (!library) run(&at_exit, 0);
}

int at_quick_exit(void (*function)(void)) {
  return add(&at_quick_exit_, (struct handler){PLAIN, (void *)function, NULL});
}

_Noreturn void exit(int status) {
  run(&at_exit, status);
  if (__rt_exit_flush) __rt_exit_flush();
  __sp_exit(status);
}

_Noreturn void quick_exit(int status) {
  run(&at_quick_exit_, status);
  __sp_exit(status);
}

_Noreturn void _Exit(int status) { __sp_exit(status); }
_Noreturn void _exit(int status) { __sp_exit(status); }
