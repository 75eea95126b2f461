// Wide strings: length, copy, concatenate, compare, search, tokens, numbers, memory.
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    wchar_t buf[32], *save;
    wcscpy(buf, L"wide");
    wcscat(buf, L" string");
    wcsncat(buf, L"!!!", 1);
    printf("%zu %ls\n", wcslen(buf), buf);
    printf("%d %d %d\n", sign(wcscmp(L"a", L"b")), sign(wcsncmp(L"abc", L"abd", 2)), sign(wmemcmp(L"zz", L"za", 2)));
    printf("%td %td %td\n", wcschr(buf, L's') - buf, wcsrchr(buf, L'i') - buf, wcsstr(buf, L"str") - buf);
    printf("%zu %zu\n", wcsspn(buf, L"wide"), wcscspn(buf, L" "));
    for (wchar_t *t = wcstok(buf, L" ", &save); t; t = wcstok(NULL, L" ", &save))
        printf("<%ls>", t);
    wmemset(buf, L'x', 4);
    buf[4] = 0;
    printf("%ls %ld %lu %g\n", buf, wcstol(L"-42z", NULL, 10), wcstoul(L"ff", NULL, 16), wcstod(L"2.5", NULL));
    printf("%d %d %d %lc\n", !!iswalpha(L'q'), !!iswdigit(L'7'), !!iswspace(L'x'), towupper(L'w'));
    swprintf(buf, 32, L"%d-%ls-%s", 5, L"w", "n");
    printf("%ls %zu\n", buf, wcslen(buf));
    return 0;
}
