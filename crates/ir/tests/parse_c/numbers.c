// Every scalar type, conversions between them, vectors, complex numbers, atomics.
#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

typedef int v4si __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));

_Thread_local int per_thread = 7;
_Atomic long shared;
static const double constants[] = {0.1, 1e308, -0.0, INFINITY, NAN, 3.0};
static const long double pi = 3.14159265358979323846L;
static const float small = 1e-40f;
const __int128 huge = ((__int128)0x123456789abcdef << 64) | 0xfedcba9876543210u;
_Float16 half = 1.5f16;
wchar_t wide[] = L"wide \u00e9";

long double sum(int n, ...) {
    va_list list;
    va_start(list, n);
    long double total = 0;
    while (n--) switch (n % 3) {
        case 0: total += va_arg(list, int); break;
        case 1: total += va_arg(list, double); break;
        default: total += va_arg(list, long double);
        }
    va_end(list);
    return total;
}

unsigned __int128 wide_multiply(uint64_t a, uint64_t b) { return (unsigned __int128)a * b + (unsigned __int128)huge; }

v4si shuffle(v4si a, v4si b) {
    v4si mask = a > b;
    v4si mixed = __builtin_shufflevector(a, b, 0, 5, -1, 7);
    mixed[2] = mask[1];
    return mixed + (a & mask) - (b << 1);
}

v4sf scale(v4sf a, float f) { return a * f + (v4sf){1, 2, 3, 4}; }

double complex rotate(double complex z, double angle) { return z * cexp(I * angle); }

int convert(double d, float f, unsigned char c, short s, bool flag) {
    uint64_t u = (uint64_t)d;
    int64_t i = (int64_t)f;
    u ^= c + s * (flag ? -1 : 1);
    u = (u >> 7) | (u << 57);
    return (int)(u % 1000) + (int)(i / 3) + __builtin_popcountll(u) + (d < f) + (d != d) + !(f >= 1) + (int)half;
}

bool exchange(long expected, long desired) {
    atomic_fetch_add(&shared, 3);
    atomic_fetch_sub_explicit(&shared, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    atomic_store_explicit(&shared, per_thread, memory_order_release);
    return atomic_compare_exchange_weak(&shared, &expected, desired) && atomic_load(&shared) == desired;
}

int overflow(int a, int b, int *result) {
    return __builtin_add_overflow(a, b, result) || __builtin_mul_overflow(a, b, result);
}

double pick(int i) { return i < 6 ? constants[i] : fabs((double)small) + sqrt((double)pi) + fma(i, 2.0, 1.0); }

volatile int device;
int poll(void) {
    device = 1;
    while (!device) device++;
    return device;
}
