// ungetc, fgetpos, tmpfile, fileno, fflush, putc and getc forms, reading a write-only stream, fopen modes, ferror.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    FILE *t = tmpfile();
    fputs("0123456789", t);
    rewind(t);
    fpos_t pos;
    char buf[8] = "";
    int first = getc(t);
    fgetpos(t, &pos);
    size_t got = fread(buf, 1, 4, t);
    fsetpos(t, &pos);
    printf("%c %zu %s %c\n", first, got, buf, getc(t));
    ungetc('x', t);
    ungetc(getc(t), t);
    printf("%c%c\n", getc(t), getc(t));
    fclose(t);
    printf("%d %d %d\n", fileno(stdin), fileno(stdout), fileno(stderr));
    FILE *f = fopen("w.txt", "w");
    int c = fgetc(f);
    printf("%d %d\n", c, ferror(f) != 0);
    clearerr(f);
    printf("%d\n", ferror(f));
    fclose(f);
    printf("%d\n", fopen("w.txt", "wx") == NULL && errno == EEXIST);
    printf("%d %d\n", access("w.txt", F_OK), access("missing", F_OK));
    return fflush(NULL);
}
