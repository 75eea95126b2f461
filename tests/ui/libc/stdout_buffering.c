// stdout and stderr keep their own bytes whatever the buffering; setbuf, fflush and write in between.
// stderr: compare
#include <stdio.h>
#include <unistd.h>

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 1024);
    fputs("line one\npart", stdout);
    fflush(stdout);
    if (write(1, "-raw-", 5) != 5)
        return 1;
    fputs("done\n", stdout);
    fputs("to stderr ", stderr);
    fflush(stdout);
    setvbuf(stdout, NULL, _IONBF, 0);
    putchar('x');
    if (write(1, "y", 1) != 1)
        return 1;
    fputc('\n', stderr);
    putchar('\n');
    return 0;
}
