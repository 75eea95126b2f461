// A library function decides on bytes that were never written.
#include <string.h>

int main(void) {
    char buf[16];
    return strcmp(buf, "abc") == 0; //~ BUG(uninitialised)
}
