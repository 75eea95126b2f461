// Binary files: fread and fwrite of records, partial reads, fseek in records, setvbuf, large blocks, freopen.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rec { int id; double w; char name[12]; };

int main(void) {
    FILE *f = fopen("recs.bin", "wb+");
    for (int i = 0; i < 10; i++) {
        struct rec r;
        memset(&r, 0, sizeof r);
        r.id = i;
        r.w = i / 4.0;
        snprintf(r.name, sizeof r.name, "rec%d", i);
        fwrite(&r, sizeof r, 1, f);
    }
    struct rec r[4];
    fseek(f, 7 * (long)sizeof *r, SEEK_SET);
    size_t n = fread(r, sizeof *r, 4, f);
    printf("%zu %d %g %s %d\n", n, r[2].id, r[2].w, r[2].name, feof(f) != 0);
    fseek(f, -2 * (long)sizeof *r, SEEK_CUR);
    clearerr(f);
    n = fread(r, 1, 10, f);
    printf("%zu %ld\n", n, ftell(f));
    fclose(f);
    f = fopen("big.bin", "wb");
    printf("%d\n", setvbuf(f, NULL, _IOFBF, 64));
    unsigned char *block = malloc(100000);
    for (int i = 0; i < 100000; i++)
        block[i] = (unsigned char)(i * 7);
    printf("%zu\n", fwrite(block, 1, 100000, f));
    fclose(f);
    f = fopen("big.bin", "rb");
    unsigned h = 0;
    memset(block, 0, 100000);
    while ((n = fread(block, 1, 777, f)) > 0)
        for (size_t i = 0; i < n; i++)
            h = h * 31 + block[i];
    printf("%u %d\n", h, ferror(f));
    f = freopen("recs.bin", "rb", f);
    printf("%d\n", fgetc(f));
    fclose(f);
    free(block);
    return 0;
}
