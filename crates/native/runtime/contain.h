// What keeps tests from doing anything to the machine that they run on: see contain.c.

#ifndef SPELUNK_CONTAIN_H
#define SPELUNK_CONTAIN_H

// What is in force.
enum {
  // A namespace of its own for users, processes, network and IPC.
  HAS_NAMESPACES = 1,
  // All files are read-only, but for a view of some directories that goes with the test.
  HAS_OWN_FILES = 2,
  // Landlock refuses writes outside of these directories.
  HAS_LANDLOCK = 4,
  // Harmful system calls fail.
  HAS_FILTER = 8,
};

// Bits of the above: what all tests have in common, which is done before the first line of the program runs.
extern unsigned spelunk_containment;

// For the process of one test, before it runs the program. It finds itself in `directory`, or in one of its own where files
// can't be protected otherwise. Returns what is in force; 0 if the directory can't be had.
unsigned spelunk_contain(const char *directory);

#endif
