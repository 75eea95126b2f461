// The checked variants that -D_FORTIFY_SOURCE calls behave like the plain ones.
// cflags: -D_FORTIFY_SOURCE=2
// configs: O1,O2
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char buf[32], other[16];
    (void)argv;
    strcpy(buf, argc > 100 ? "many" : "few");
    strcat(buf, "er");
    snprintf(other, sizeof other, "%s-%d", buf, argc);
    sprintf(buf, "%s!", other);
    memcpy(other, buf, (size_t)argc + 3);
    memset(other + 2, '_', (size_t)argc);
    printf("%s %s\n", buf, other);
    return 0;
}
