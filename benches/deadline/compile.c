// A compiler that reads this waits for as long as nobody writes to the pipe.
#include "pipe"

int main(void) { return 0; }
