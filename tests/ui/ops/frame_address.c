// configs: O0,clang16-O0
// A frame's address falls with the depth of calls, so programs limit their recursion by it.

#include <stdint.h>
#include <stdio.h>

static int depth_above(uintptr_t limit, int depth) {
  char work[256] = "";
  work[depth % 256] = 1;
  if ((uintptr_t)__builtin_frame_address(0) < limit)
    return depth;
  return depth_above(limit, depth + 1) + work[(depth + 1) % 256];
}

static uintptr_t callers_frame(void) { return (uintptr_t)__builtin_frame_address(1); }

int main(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  int depth = depth_above(here - 100000, 0);
  printf("%d %d\n", depth > 10, depth < 1000);
  printf("%d\n", callers_frame() == here);
  return 0;
}
