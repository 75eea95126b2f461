// The promise is kept.
#include <stdio.h>

static int side(char c) {
    switch (c) {
    case 'l': return 0;
    case 'r': return 1;
    }
    __builtin_unreachable();
}

int main(void) {
    printf("%d %d\n", side('l'), side('r'));
    return 0;
}
