// What is unsupported does no harm while it is not executed.
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 50) {
        __asm__("nop; nop");
        return fork();
    }
    puts("fine");
    return 0;
}
