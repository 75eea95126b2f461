// A byte without a value is noticed when it is given to a stream, not when the stream's buffer is written.
#include <stdio.h>

int main(void) {
    char digits[8];
    int n = 0;
    digits[n++] = '7';
    printf("seven: ");
    for (int i = n; i >= 0; i--) {
        printf("%c", digits[i]); //~ BUG(uninitialised)
    }
    printf("\n");
    return 0;
}
