// What runs before main and after it. The VM calls `__rt_start` with the program's arguments and environment.

#include "rt.h"

#include <unistd.h>

typedef void (*structor)(void);

// The i-th function that runs before main or at the end, in order; null behind the last.
structor __sp_ctor(unsigned long i);
structor __sp_dtor(unsigned long i);

// Programs define it with fewer parameters, which harms nobody.
int main(int argc, char **argv, char **envp);

static void run_destructors(void) {
  structor destructor;
  for (unsigned long i = 0; (destructor = __sp_dtor(i)) != NULL; i++) destructor();
}

_Noreturn void __rt_start(int argc, char **argv, char **envp) {
  structor constructor;
  __environ = envp;
  if (argc > 0) __rt_name_program(argv[0]);
  // Registered first, so that it runs after the handlers that the program adds.
  atexit(run_destructors);
  for (unsigned long i = 0; (constructor = __sp_ctor(i)) != NULL; i++) constructor();
  exit(main(argc, argv, envp));
}
