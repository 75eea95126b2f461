// Commands are not run: how they end and what they write is input.
// stopped: bounded
// ledger: `system` returns an input, and is taken to do nothing else
// ledger: `popen` is taken to run a command that writes up to 8 bytes and does nothing else
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

static void run(void) {
  assert(system(NULL));
  int status = system("exit 3");
  assert(status == -1 || WIFEXITED(status) || WIFSIGNALED(status));
  if (WIFEXITED(status))
    assert(WEXITSTATUS(status) != 77); //~ BUG(assert)
}

static void read_output(void) {
  char line[8];
  FILE *output = popen("id -u", "r");
  if (!output)
    return;
  if (fgets(line, sizeof line, output) && line[0] == 'o' && line[1] == 'k')
    assert(line[2] != '\n'); //~ BUG(assert)
  if (pclose(output) == 0x0200)
    abort(); //~ BUG(abort)
}

static void write_input(char c) {
  FILE *input = popen("mail", "w");
  if (input) {
    fprintf(input, "%d%c", c, c);
    pclose(input);
  }
}

int main(void) {
  switch (klee_range(0, 3, "which")) {
  case 0:
    run();
    return 0;
  case 1:
    read_output();
    return 0;
  default:
    write_input((char)klee_int("c"));
    return 0;
  }
}
