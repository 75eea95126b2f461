// Text files: write, append, read back, seek, tell, rewind, update mode, remove, rename.
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void dump(const char *path) {
    FILE *f = fopen(path, "r");
    if (!f) {
        printf("%s: %s\n", path, strerror(errno));
        return;
    }
    for (int c; (c = fgetc(f)) != EOF;)
        putchar(c);
    printf("-- %d %d\n", feof(f) != 0, ferror(f));
    fclose(f);
}

int main(void) {
    FILE *f = fopen("a.txt", "w");
    fprintf(f, "line %d\n", 1);
    fputs("line two\n", f);
    printf("%ld %d\n", ftell(f), fclose(f));
    f = fopen("a.txt", "a");
    fputs("appended\n", f);
    fclose(f);
    dump("a.txt");
    f = fopen("a.txt", "r+");
    char word[20];
    int n;
    printf("%d %s %d\n", fscanf(f, "%19s %d", word, &n), word, n);
    fseek(f, 5, SEEK_SET);
    fputc('9', f);
    fseek(f, -9, SEEK_END);
    fputs("APP", f);
    rewind(f);
    printf("%s", fgets(word, sizeof word, f));
    printf("%ld\n", ftell(f));
    fclose(f);
    dump("a.txt");
    printf("%d\n", rename("a.txt", "b.txt"));
    dump("a.txt");
    f = fopen("b.txt", "w+");
    fputs("xyz", f);
    fseek(f, 1, SEEK_SET);
    printf("%c %c\n", fgetc(f), fgetc(f));
    fclose(f);
    printf("%d %d\n", remove("b.txt"), remove("b.txt"));
    printf("%d %d\n", fopen("no/such/file", "r") == NULL, errno == ENOENT);
    return 0;
}
