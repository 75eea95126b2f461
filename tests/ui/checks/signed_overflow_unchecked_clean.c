// Without the check a wrapped sum is no report: many programs rely on it.
// configs: O0,clang16-O0
#include <limits.h>
#include <stdio.h>

__attribute__((no_sanitize("undefined"))) int main(void) {
    int n = INT_MAX, m = INT_MIN;
    n++;
    m = m * 2 - 1;
    printf("%d %d\n", n, m);
    return 0;
}
