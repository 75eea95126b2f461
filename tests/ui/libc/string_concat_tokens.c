// strcat, strncat, strtok, strtok_r, strsep, strxfrm.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

int main(void) {
    char buf[40] = "a";
    strcat(buf, "bc");
    strncat(buf, "defgh", 2);
    strncat(buf, "x", 10);
    strcat(buf, "");
    puts(buf);
    char text[] = ";;one; two,three;,;four";
    for (char *t = strtok(text, ";,"); t; t = strtok(NULL, ";, "))
        printf("[%s]", t);
    putchar('\n');
    char lines[] = "k1=v1\nk2=v2\n\nk3", *save, *inner;
    for (char *l = strtok_r(lines, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
        char *k = strtok_r(l, "=", &inner), *v = strtok_r(NULL, "=", &inner);
        printf("(%s,%s)", k, v ? v : "none");
    }
    putchar('\n');
    char csv[] = "a,,b,", *p = csv, *field;
    while ((field = strsep(&p, ",")))
        printf("<%s>", field);
    char out[8];
    printf("\n%zu %s\n", strxfrm(out, "abc", sizeof out), out);
    return 0;
}
