// The C locale: its name, its conventions, and what else setlocale accepts here.
#include <locale.h>
#include <stdio.h>

int main(void) {
    printf("%s\n", setlocale(LC_ALL, NULL));
    printf("%s %s\n", setlocale(LC_ALL, "C"), setlocale(LC_NUMERIC, "POSIX"));
    printf("%d\n", setlocale(LC_ALL, "no_SUCH.locale") == NULL);
    struct lconv *l = localeconv();
    printf("[%s][%s][%s] %d\n", l->decimal_point, l->thousands_sep, l->currency_symbol, l->frac_digits == 127);
    printf("%s\n", setlocale(LC_CTYPE, ""));
    printf("%.2f\n", 3.5);
    return 0;
}
