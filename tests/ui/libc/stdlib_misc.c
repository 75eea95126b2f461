// abs, div and friends, getenv, setenv, unsetenv, putenv, mblen on ASCII.
// env: SPELUNK_TEST_NAME=some value
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(1000000007L, -3);
    lldiv_t ll = lldiv(-1, 2);
    imaxdiv_t im = imaxdiv(100, 7);
    printf("%d %d %ld %ld %lld %lld %jd %jd\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem, im.quot, im.rem);
    printf("%d %ld %lld %jd\n", abs(-5), labs(-6L), llabs(-7LL), imaxabs(-8));
    printf("%s %d\n", getenv("SPELUNK_TEST_NAME"), getenv("SPELUNK_TEST_ABSENT") == NULL);
    printf("%d %s\n", setenv("SPELUNK_TEST_NEW", "1", 0), getenv("SPELUNK_TEST_NEW"));
    printf("%d %s\n", setenv("SPELUNK_TEST_NEW", "2", 0), getenv("SPELUNK_TEST_NEW"));
    printf("%d %s\n", setenv("SPELUNK_TEST_NEW", "3", 1), getenv("SPELUNK_TEST_NEW"));
    static char put[] = "SPELUNK_TEST_PUT=put";
    putenv(put);
    printf("%s\n", getenv("SPELUNK_TEST_PUT"));
    unsetenv("SPELUNK_TEST_NEW");
    printf("%d\n", getenv("SPELUNK_TEST_NEW") == NULL);
    return 0;
}
