// Conversions between multibyte and wide in the C locale: ASCII passes, the rest fails or is single bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
    wchar_t w[16];
    char s[16];
    mbstate_t st;
    memset(&st, 0, sizeof st);
    printf("%zu %ls\n", mbstowcs(w, "plain", 16), w);
    printf("%zu %s\n", wcstombs(s, L"back", 16), s);
    printf("%d %d %d %d\n", mblen("a", 1), mblen("", 1), mbtowc(w, "z", 1), wctomb(s, L'y'));
    printf("%zu %zu\n", mbrtowc(w, "q", 1, &st), wcrtomb(s, L'r', &st));
    printf("%zu %c\n", mbrlen("x", 1, &st), s[0]);
    printf("%d %d %zu\n", btowc('k'), wctob(L'k'), MB_CUR_MAX);
    const char *from = "several";
    printf("%zu %d\n", mbsrtowcs(w, &from, 16, &st), from == NULL);
    printf("%d\n", wctomb(s, 0x20ac));
    return 0;
}
