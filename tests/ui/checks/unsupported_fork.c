// A second process is beyond the VM.
// unsupported: fork
#include <unistd.h>

int main(void) {
    return fork() != 0;
}
