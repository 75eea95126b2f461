/* Operations beyond words, on one symbolic byte. Each case gives a number; the program then branches on each of its bits,
   so that a path knows the number, and the program's argument says which case is run. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

typedef __int128 i128;
typedef unsigned __int128 u128;
typedef unsigned char v16 __attribute__((vector_size(16)));
typedef short v8 __attribute__((vector_size(16)));
typedef int v4 __attribute__((vector_size(16)));
typedef int e4 __attribute__((ext_vector_type(4)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef long v2 __attribute__((vector_size(16)));

static unsigned char x;
static signed char s;

static unsigned low(u128 n) { return (unsigned)(n ^ n >> 32 ^ n >> 64 ^ n >> 96) & 255; }
static unsigned bytes(const void *p, unsigned n) {
  const unsigned char *byte = p;
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++) sum = sum * 5 + byte[i];
  return (sum ^ sum >> 8) & 255;
}

#define WIDE ((u128)x * x << 70 | x | (u128)x << 40)
#define SIGNED_WIDE ((i128)s << 90 | x)

struct pair { long a; char b; };
struct large { int a[6]; long double b; unsigned char c; };
struct fields { unsigned a : 3, b : 7, c : 1; int d : 5; };
union pun { float f; unsigned u; unsigned char b[4]; };

static struct pair swap(struct pair p) { return (struct pair){p.b, (char)p.a}; }
static unsigned use_large(struct large p) { return p.a[1] + p.c + (unsigned)p.b; }

static unsigned many(int n, ...) {
  va_list args, again;
  unsigned sum = 0;
  va_start(args, n);
  va_copy(again, args);
  for (int i = 0; i < n; i++) {
    sum = sum * 3 + va_arg(args, int);
    sum = sum * 3 + (unsigned)va_arg(args, double);
    sum = sum * 3 + low(va_arg(args, i128));
    sum = sum * 3 + (unsigned)va_arg(args, long double);
    sum = sum * 3 + va_arg(args, struct pair).b;
  }
  sum += va_arg(again, int);
  va_end(again);
  va_end(args);
  return sum & 255;
}

static jmp_buf buffer;
static void jump(int value) { longjmp(buffer, value); }

#define CASES(CASE)                                                                                    \
  CASE(wide_add, return low(WIDE + ((u128)7 << 64)))                                                   \
  CASE(wide_sub, return low(WIDE - 3))                                                                 \
  CASE(wide_mul, return low(WIDE * 0x1234567))                                                         \
  CASE(wide_udiv, return low(WIDE / 1000003))                                                          \
  CASE(wide_urem, return low(WIDE % 1000003))                                                          \
  CASE(wide_sdiv, return low((u128)(SIGNED_WIDE / -77)))                                               \
  CASE(wide_srem, return low((u128)(SIGNED_WIDE % 77)))                                                \
  CASE(wide_shift, return low(WIDE << 5 ^ WIDE >> 66 ^ (u128)(SIGNED_WIDE >> 3)))                      \
  CASE(wide_shift_by, return low(WIDE >> (x & 127)))                                                   \
  CASE(wide_bits, return low((WIDE & ~(u128)255 << 60) | (WIDE ^ 1)))                                  \
  CASE(wide_compare, return (WIDE > (u128)100 << 80) + 2 * (SIGNED_WIDE < -5) + 4 * (WIDE == 0))       \
  CASE(wide_to_double, return (unsigned)(double)(WIDE >> 80) & 255)                                    \
  CASE(wide_from_double, return low((u128)(x * 1e20)))                                                 \
  CASE(wide_narrow, return (unsigned char)(WIDE >> 33))                                                \
  CASE(bitint_narrow, _BitInt(7) n = (_BitInt(7))(x & 31); n += n; return (unsigned)(int)n & 255)      \
  CASE(bitint_65, unsigned _BitInt(65) n = x; n = n << 57 | n; return low((u128)(n >> 3)))             \
  CASE(bitint_200, unsigned _BitInt(200) n = x; n = n * n << 180 | n; return (unsigned)(n % 251))      \
  CASE(bitint_memory, _BitInt(100) n = (_BitInt(100))s << 70; return bytes(&n, 12))                    \
  CASE(half, _Float16 h = (_Float16)x; h = h * h / (_Float16)3; return (unsigned)(float)h & 255)       \
  CASE(single, float f = x * 0.37f; f = f - 3 / (f + 1); return (int)f & 255)                          \
  CASE(twice, double d = s / 3.0; return (d < 5) + 2 * (d == -1) + ((int)d & 31) * 4)                  \
  CASE(extended, long double d = s; d = d * d / 7 - d; return (long)d & 255)                           \
  CASE(extended_bits, long double d = x; return bytes(&d, 10))                                         \
  CASE(quad, __float128 q = x; q = q * q / 3; return (int)q & 255)                                     \
  CASE(float_kinds, return (unsigned)(long double)(float)(double)(x / 3.0f) & 255)                     \
  CASE(float_sign, double d = -(double)s; return (__builtin_fabs(d) > 90) + 2 * !!__builtin_signbit(d)) \
  CASE(float_round, double d = s / 8.0;                                                                \
       return ((int)__builtin_floor(d) ^ (int)__builtin_ceil(d) * 3 ^ (int)__builtin_rint(d) * 5) & 255) \
  CASE(float_extrema, return (int)(__builtin_fmin(x, 100) + __builtin_fmax(s, -2)) & 255)              \
  CASE(float_class, double d = 1.0 / (x & 3) - (x & 4 ? 1e308 * x : 0);                                \
       return !!__builtin_isinf(d) + 2 * !!__builtin_isnan(d - d) + 4 * !!__builtin_isnormal(d))       \
  CASE(float_fma, return (int)__builtin_fma(x, 1.5, s) & 255)                                          \
  CASE(float_unsigned, return (unsigned)((uint64_t)(x * 7e16) >> 50) & 255)                                 \
  CASE(vector_bytes, v16 v = {x, 3, x}; v = v * 7 + v / 3; return bytes(&v, 16))                       \
  CASE(vector_ints, v4 v = {x, s, -x, 9}; v = (v << 3) - (v >> 1) % 5; return bytes(&v, 16))           \
  CASE(vector_compare, v4 v = {x, s, 7, 8}; v = v < (v4){100, 0, 7, 9}; return bytes(&v, 16))          \
  CASE(vector_floats, f4 v = {x, s, 1, 2}; v = v * v - v; return (int)(v[0] + v[1]) & 255)             \
  CASE(vector_shuffle, v8 v = {x, s, 3, 4};                                                            \
       v = __builtin_shufflevector(v, v, 1, 0, 7, 9, 2, 3, 0, 8); return bytes(&v, 16))                \
  CASE(vector_convert, v4 v = {x, s, 1, 2}; f4 f = __builtin_convertvector(v, f4); f /= 3;             \
       v = __builtin_convertvector(f, v4); return bytes(&v, 16))                                       \
  CASE(vector_cast, v16 v = {x, 1, 2, x, 4}; v4 w = (v4)v; w += 300; v2 u = (v2)w; return bytes(&u, 16)) \
  CASE(vector_select, e4 v = {x, s, 1, 2}; v = v > 50 ? v : -v; return bytes(&v, 16))                  \
  CASE(vector_reduce, v4 v = {x, s, 1, 2};                                                             \
       return (__builtin_reduce_add(v) + __builtin_reduce_max(v) * 3 + __builtin_reduce_xor(v)) & 255) \
  CASE(vector_elementwise, v4 v = {x, s, -7, 2};                                                       \
       v = __builtin_elementwise_abs(v) + __builtin_elementwise_min(v, (v4){9, 9, 9, 9}); return bytes(&v, 16)) \
  CASE(vector_saturate, v16 v = {x, 200, x}; v = __builtin_elementwise_add_sat(v, v); return bytes(&v, 16)) \
  CASE(count_bits, return __builtin_popcount(x * 0x101u) + __builtin_clz(x + 1) * 3 + __builtin_ctzll(x | 256))  \
  CASE(swap_bits, return (__builtin_bswap32(x * 0x10203u) >> 20 ^ __builtin_bitreverse16(x)) & 255)    \
  CASE(rotate, return __builtin_rotateleft32(x * 0x9e3779b9u, x & 31) >> 24)                           \
  CASE(overflow_signed, int n; int o = __builtin_mul_overflow(s * 0x1000000, s, &n); return (o << 7) + (n >> 20 & 127)) \
  CASE(overflow_unsigned, unsigned char n; int o = __builtin_add_overflow(x, x, &n); return n ^ o)     \
  CASE(overflow_wide, i128 n; int o = __builtin_mul_overflow(SIGNED_WIDE << 20, SIGNED_WIDE, &n); return o * 3 + low((u128)n) / 2) \
  CASE(overflow_sub, uint64_t n; int o = __builtin_sub_overflow((uint64_t)x, 100, &n); return (n ^ o) & 255) \
  CASE(atomic_integers, atomic_uint n = x; atomic_fetch_add(&n, 7); atomic_fetch_xor(&n, x * 3);       \
       atomic_fetch_and(&n, 0xfff); return (atomic_exchange(&n, s) + n) & 255)                         \
  CASE(atomic_others, unsigned char n = x; __atomic_fetch_nand(&n, 60, 5);                             \
       unsigned char old = __atomic_fetch_or(&n, x >> 1, 5); return (n ^ old * 3) & 255)               \
  CASE(atomic_compare, int n = x & 3, wanted = 2; int done = atomic_compare_exchange_strong((atomic_int *)&n, &wanted, x); \
       return (done + n * 2 + wanted * 64) & 255)                                                      \
  CASE(atomic_float, _Atomic float f = x; f += 1.5f; return (unsigned)f & 255)                         \
  CASE(struct_by_value, struct pair p = swap((struct pair){x, s}); return (p.a * 7 + p.b) & 255)       \
  CASE(struct_large, struct large p = {{1, x, s}, x, x}; return use_large(p) & 255)                    \
  CASE(struct_copy, struct large p = {{1, x, s}, x, x}, q = p; return bytes(&q.a, 24))                 \
  CASE(bit_fields, struct fields f = {x & 7, x & 127, x & 1, s & 15}; f.b += f.a; f.d ^= 3; return bytes(&f, 2)) \
  CASE(punning, union pun p = {.f = x / 7.0f}; p.u ^= 0x1000; return p.b[2] ^ p.b[1])                  \
  CASE(partial_words, uint64_t n = x * 0x0102030405060708ull; ((unsigned char *)&n)[3] ^= s;           \
       return (*(uint32_t *)((char *)&n + 2) ^ *(uint16_t *)((char *)&n + 5)) & 255)                   \
  CASE(complex_product, double complex c = x + 2 * I; c = c * (3 - I) / (1 + I); return (int)(creal(c) + cimag(c)) & 255) \
  CASE(variable_arguments, struct pair p = {1, s};                                                     \
       return many(2, x, x / 2.0, WIDE, (long double)x, p, s, s / 2.0, SIGNED_WIDE, (long double)s, p)) \
  CASE(jumps, volatile unsigned kept = x; if (setjmp(buffer) == 0) jump(3); return kept ^ 5)           \
  CASE(copies, unsigned char a[32] = {x, 1, s}, b[32]; memcpy(b, a, 32); memmove(b + 1, b, 20); return bytes(b, 32)) \
  CASE(fills, unsigned char a[9]; memset(a, x, sizeof a); return bytes(a, sizeof a))                   \
  CASE(loops, unsigned a[24], n = 0; for (int i = 0; i < 24; i++) a[i] = x * i;                        \
       for (int i = 0; i < 24; i++) n += a[i] > 90 ? a[i] : 3; return n & 255)                         \
  CASE(byte_loops, unsigned char a[40], n = 0; for (int i = 0; i < 40; i++) a[i] = x + i;              \
       for (int i = 0; i < 40; i++) n ^= a[i] / 3; return n)

#define FUNCTION(name, ...) static unsigned case_##name(void) { __VA_ARGS__; }
CASES(FUNCTION)

#define ENTRY(name, ...) {#name, case_##name},
static const struct {
  const char *name;
  unsigned (*run)(void);
} cases[] = {CASES(ENTRY)};

/* The number again, each bit of which the path has decided on. */
__attribute__((noinline)) static int decided(unsigned number) {
  int known = 0;
  for (int bit = 0; bit < 8; bit++) {
    if (number >> bit & 1) {
      __asm__ volatile("");
      known |= 1 << bit;
    }
  }
  return known;
}

int main(int argc, char **argv) {
  (void)argc;
  klee_make_symbolic(&x, 1, "x");
  s = (signed char)x;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (strcmp(cases[i].name, argv[1]) == 0) return decided(cases[i].run());
  }
  __builtin_trap();
}
