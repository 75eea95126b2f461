// Narrow, wide, UTF-8, UTF-16 and UTF-32 literals, escapes, concatenation, embedded zeros.
#include <stdio.h>
#include <uchar.h>
#include <wchar.h>

int main(void) {
    const char *narrow = "tab\there \x41\102\a\b\\ \"q\" \0hidden";
    const wchar_t *wide = L"w\u00e9\U0001f600";
    const char16_t u16[] = u"a\u20ac\U0001f600";
    const char32_t u32[] = U"z\U0001f600";
    const unsigned char *u8 = (const unsigned char *)u8"\u00e9\u20ac";
    for (const char *p = narrow; *p; p++)
        printf("%d ", *p);
    printf("\n%zu %zu %zu %zu\n", sizeof "a\0b", sizeof u16, sizeof u32, wcslen(wide));
    for (; *wide; wide++)
        printf("%x ", (unsigned)*wide);
    for (int i = 0; u16[i]; i++)
        printf("%x ", u16[i]);
    for (int i = 0; u32[i]; i++)
        printf("%x ", (unsigned)u32[i]);
    for (; *u8; u8++)
        printf("%x ", *u8);
    printf("\n%s %c%c %d\n", "one" " two"
           " three", "abc"[1], 2["xyz"], L'\xe9' + 'ab' % 256);
    return 0;
}
