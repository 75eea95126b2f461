// Text that stays in memory may have bytes without a value, as long as nobody looks at them.
#include <stdio.h>
#include <string.h>

int main(void) {
    char from[4], to[8], *text = NULL;
    size_t n = 0;
    FILE *stream = open_memstream(&text, &n);
    from[0] = 'a';
    fwrite(from, 1, sizeof from, stream);
    fclose(stream);
    memcpy(to, text, n);
    printf("%zu %c\n", n, to[0]);
    return 0;
}
