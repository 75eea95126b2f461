// _Float16: every operation goes through float and rounds back.
// configs: O0,O1,O2
#include <stdio.h>

static float widen(_Float16 x) { return (float)x; }

int main(void) {
    volatile _Float16 v[] = {(_Float16)0.1f, (_Float16)1.0f, (_Float16)-2.5f, (_Float16)1000.0f, (_Float16)65504.0f, (_Float16)6e-8f};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            _Float16 a = v[i], b = v[j];
            printf("%a %a %a %a %d%d%d\n", widen(a + b), widen(a - b), widen(a * b), widen(a / b), a < b, a == b, a >= b);
        }
    volatile double d = 3.14159265358979;
    volatile int n = 2049;
    printf("%a %a %d %d\n", widen((_Float16)d), widen((_Float16)n), (int)v[3], (int)(unsigned char)v[1]);
    return 0;
}
