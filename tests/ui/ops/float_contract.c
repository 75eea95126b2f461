// a*b+c rounds twice on a machine without fused multiply-add, whatever the IR calls the operation.
#include <math.h>
#include <stdio.h>

static double muladd(double a, double b, double c) { return a * b + c; }
static float muladdf(float a, float b, float c) { return a * b + c; }

int main(void) {
    volatile double x = 1.0 + 0x1p-30;
    printf("%a %a\n", muladd(x, x, -1.0 - 0x1p-29), fma(x, x, -1.0 - 0x1p-29));
    volatile float y = 1.0f + 0x1p-12f;
    printf("%a %a\n", muladdf(y, y, -1.0f - 0x1p-11f), fmaf(y, y, -1.0f - 0x1p-11f));
    double s = 0;
    for (int i = 1; i < 100; i++)
        s = s * 0.97 + 1.0 / i;
    printf("%a\n", s);
    return 0;
}
