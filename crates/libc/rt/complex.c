// Complex numbers: what the compiler calls for their products and quotients, and <complex.h>.
//
// Products and quotients here are built from parts, since the operators would call these very functions. NaN results
// are mended as Annex G of ISO C asks: an infinity times or over something is an infinity, even if both parts got lost.

#include "rt.h"

#include <complex.h>
#include <float.h>
#include <math.h>

// The limits of a format that a quotient's scaling needs.
struct quotient_limits {
  long double huge;   // half the largest number
  long double tiny;   // operands below lose bits when they are multiplied
  long double least;  // the smallest normal number
  long double scale;  // lifts tiny operands
};

static const struct quotient_limits double_limits = {DBL_MAX / 2, DBL_EPSILON, DBL_MIN, 1 / DBL_EPSILON};
static const struct quotient_limits long_double_limits = {LDBL_MAX / 2, LDBL_EPSILON, LDBL_MIN, 1 / LDBL_EPSILON};

// A part of an infinite operand as Annex G boxes it: 1 or 0 with the part's sign.
#define BOXED(part) copysign(isinf(part) ? 1.0 : 0.0, part)
// A part that is not a number counts as zero.
#define CLEARED(part) (isnan(part) ? copysign(0.0, part) : (part))

#define ARITHMETIC(real, mul, div)                                                                          \
  static real _Complex of_parts_##mul(real x, real y) {                                                     \
    real _Complex z;                                                                                        \
    __real__ z = x;                                                                                         \
    __imag__ z = y;                                                                                         \
    return z;                                                                                               \
  }                                                                                                         \
                                                                                                            \
  real _Complex mul(real a, real b, real c, real d) {                                                       \
    real ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                    \
    real x = ac - bd, y = ad + bc;                                                                          \
    int recalculate = 0;                                                                                    \
    if (!isnan(x) || !isnan(y)) return of_parts_##mul(x, y);                                                \
    if (isinf(a) || isinf(b)) {                                                                             \
      a = BOXED(a), b = BOXED(b), c = CLEARED(c), d = CLEARED(d);                                           \
      recalculate = 1;                                                                                      \
    }                                                                                                       \
    if (isinf(c) || isinf(d)) {                                                                             \
      c = BOXED(c), d = BOXED(d), a = CLEARED(a), b = CLEARED(b);                                           \
      recalculate = 1;                                                                                      \
    }                                                                                                       \
    if (!recalculate && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {                               \
      a = CLEARED(a), b = CLEARED(b), c = CLEARED(c), d = CLEARED(d);                                       \
      recalculate = 1;                                                                                      \
    }                                                                                                       \
    if (!recalculate) return of_parts_##mul(x, y);                                                          \
    return of_parts_##mul((real)INFINITY * (a * c - b * d), (real)INFINITY * (a * d + b * c));              \
  }                                                                                                         \
                                                                                                            \
  static real _Complex mend_##div(real a, real b, real c, real d, real x, real y) {                         \
    if (!isnan(x) || !isnan(y)) return of_parts_##mul(x, y);                                                \
    if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) {                                                     \
      return of_parts_##mul(copysign((real)INFINITY, c) * a, copysign((real)INFINITY, c) * b);              \
    }                                                                                                       \
    if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                                             \
      a = BOXED(a), b = BOXED(b);                                                                           \
      return of_parts_##mul((real)INFINITY * (a * c + b * d), (real)INFINITY * (b * c - a * d));            \
    }                                                                                                       \
    if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {                                             \
      c = BOXED(c), d = BOXED(d);                                                                           \
      return of_parts_##mul((real)0 * (a * c + b * d), (real)0 * (b * c - a * d));                          \
    }                                                                                                       \
    return of_parts_##mul(x, y);                                                                            \
  }

ARITHMETIC(float, __mulsc3, __divsc3)
ARITHMETIC(double, __muldc3, __divdc3)
ARITHMETIC(long double, __mulxc3, __divxc3)

// A double holds the products of floats exactly, so nothing has to be scaled.
float _Complex __divsc3(float a, float b, float c, float d) {
  double denominator = (double)c * c + (double)d * d;
  float x = (float)(((double)a * c + (double)b * d) / denominator);
  float y = (float)(((double)b * c - (double)a * d) / denominator);
  return mend___divsc3(a, b, c, d, x, y);
}

// Smith's method: everything is divided by the larger part of the divisor first, after scaling operands that are so
// large or small that this would lose bits.
#define QUOTIENT(real, div, limits)                                                                         \
  real _Complex div(real a, real b, real c, real d) {                                                       \
    int swap = fabsl(c) < fabsl(d);                                                                         \
    real p = swap ? b : a, q = swap ? a : b, large = swap ? d : c, small = swap ? c : d;                    \
    real factor = 1, ratio, denominator, x, cross;                                                          \
    int any_tiny = (fabsl(p) < limits.tiny && fabsl(q) < limits.huge * limits.tiny) ||                      \
                   (fabsl(q) < limits.tiny && fabsl(p) < limits.huge * limits.tiny);                        \
    if (fabsl(large) >= limits.huge) factor = 0.5;                                                          \
    else if (fabsl(large) < limits.tiny || (any_tiny && fabsl(large) < limits.huge * limits.tiny)) {        \
      factor = (real)limits.scale;                                                                          \
    }                                                                                                       \
    p *= factor, q *= factor, large *= factor, small *= factor;                                             \
    ratio = small / large;                                                                                  \
    denominator = small * ratio + large;                                                                    \
    if (fabsl(ratio) > limits.least) {                                                                      \
      x = (q * ratio + p) / denominator;                                                                    \
      cross = p * ratio;                                                                                    \
    } else {                                                                                                \
      x = (small * (q / large) + p) / denominator;                                                          \
      cross = small * (p / large);                                                                          \
    }                                                                                                       \
    return mend_##div(a, b, c, d, x, (swap ? cross - q : q - cross) / denominator);                         \
  }

QUOTIENT(double, __divdc3, double_limits)
QUOTIENT(long double, __divxc3, long_double_limits)

// ---- <complex.h>, for each format

#define PARTS(real, complex, s, mul)                                                                        \
  static complex of_parts##s(real x, real y) { return of_parts_##mul(x, y); }                               \
  static complex times_i##s(complex z) { return of_parts##s(-__imag__ z, __real__ z); }                     \
  static complex over_i##s(complex z) { return of_parts##s(__imag__ z, -__real__ z); }                      \
  real creal##s(complex z) { return __real__ z; }                                                           \
  real cimag##s(complex z) { return __imag__ z; }                                                           \
  real cabs##s(complex z) { return hypot##s(__real__ z, __imag__ z); }                                      \
  real carg##s(complex z) { return atan2##s(__imag__ z, __real__ z); }                                      \
  complex conj##s(complex z) { return of_parts##s(__real__ z, -__imag__ z); }                               \
  complex cproj##s(complex z) {                                                                             \
    if (!isinf(__real__ z) && !isinf(__imag__ z)) return z;                                                 \
    return of_parts##s((real)INFINITY, copysign##s(0, __imag__ z));                                         \
  }

// A real argument keeps an exact zero for the imaginary part of its result.
#define EXPONENTIALS(real, complex, s)                                                                      \
  complex cexp##s(complex z) {                                                                              \
    real scale = exp##s(__real__ z), y = __imag__ z;                                                        \
    if (scale == 0 && !isfinite(y)) return of_parts##s(0, copysign##s(0, y));                               \
    return y == 0 ? of_parts##s(scale, y) : of_parts##s(scale * cos##s(y), scale * sin##s(y));              \
  }                                                                                                         \
  complex clog##s(complex z) { return of_parts##s(log##s(cabs##s(z)), carg##s(z)); }                        \
  complex clog10##s(complex z) { return of_parts##s(log10##s(cabs##s(z)), carg##s(z) / log##s(10)); }       \
  complex csqrt##s(complex z) {                                                                             \
    real x = __real__ z, y = __imag__ z, root;                                                              \
    if (isinf(y)) return of_parts##s((real)INFINITY, y);                                                    \
    if (x == 0 && y == 0) return of_parts##s(0, y);                                                         \
    if (y == 0) return x < 0 ? of_parts##s(0, copysign##s(sqrt##s(-x), y)) : of_parts##s(sqrt##s(x), y);    \
    root = sqrt##s((fabs##s(x) + cabs##s(z)) / 2);                                                          \
    if (x >= 0) return of_parts##s(root, y / (2 * root));                                                   \
    return of_parts##s(fabs##s(y) / (2 * root), copysign##s(root, y));                                      \
  }                                                                                                         \
  complex cpow##s(complex z, complex power) { return cexp##s(power * clog##s(z)); }

#define HYPERBOLICS(real, complex, s)                                                                       \
  complex csinh##s(complex z) {                                                                             \
    real x = __real__ z, y = __imag__ z;                                                                    \
    if (y == 0) return of_parts##s(sinh##s(x), y);                                                          \
    return of_parts##s(sinh##s(x) * cos##s(y), cosh##s(x) * sin##s(y));                                     \
  }                                                                                                         \
  complex ccosh##s(complex z) {                                                                             \
    real x = __real__ z, y = __imag__ z;                                                                    \
    if (y == 0) return of_parts##s(cosh##s(x), x * y);                                                      \
    return of_parts##s(cosh##s(x) * cos##s(y), sinh##s(x) * sin##s(y));                                     \
  }                                                                                                         \
  complex ctanh##s(complex z) {                                                                             \
    real x = __real__ z, y = __imag__ z, cosine = cos##s(y), sine = sinh##s(x), denominator;                \
    /* Beyond this, the cosine makes no difference any more. */                                             \
    if (fabs##s(x) > 30) {                                                                                  \
      return of_parts##s(copysign##s(1, x), 4 * sin##s(y) * cosine * exp##s(-2 * fabs##s(x)));              \
    }                                                                                                       \
    denominator = sine * sine + cosine * cosine;                                                            \
    return of_parts##s(sine * cosh##s(x) / denominator, sin##s(y) * cosine / denominator);                  \
  }

#define TRIGONOMETRICS(real, complex, s)                                                                    \
  complex csin##s(complex z) { return over_i##s(csinh##s(times_i##s(z))); }                                 \
  complex ccos##s(complex z) { return ccosh##s(times_i##s(z)); }                                            \
  complex ctan##s(complex z) { return over_i##s(ctanh##s(times_i##s(z))); }

// Kahan's formulas: square roots of z + 1 and z - 1 one by one keep small parts and the signs of zeros.
#define INVERSES(real, complex, s)                                                                          \
  complex casin##s(complex z) {                                                                             \
    real x = __real__ z, y = __imag__ z;                                                                    \
    complex minus = csqrt##s(of_parts##s(1 - x, -y)), plus = csqrt##s(of_parts##s(1 + x, y));               \
    real cosine = __real__ minus * __real__ plus - __imag__ minus * __imag__ plus;                          \
    real sine = __real__ minus * __imag__ plus - __imag__ minus * __real__ plus;                            \
    return of_parts##s(atan2##s(x, cosine), asinh##s(sine));                                                \
  }                                                                                                         \
  complex cacos##s(complex z) {                                                                             \
    real x = __real__ z, y = __imag__ z;                                                                    \
    complex minus = csqrt##s(of_parts##s(1 - x, -y)), plus = csqrt##s(of_parts##s(1 + x, y));               \
    real sine = __real__ plus * __imag__ minus - __imag__ plus * __real__ minus;                            \
    return of_parts##s(2 * atan2##s(__real__ minus, __real__ plus), asinh##s(sine));                        \
  }                                                                                                         \
  complex cacosh##s(complex z) {                                                                            \
    real x = __real__ z, y = __imag__ z;                                                                    \
    complex minus = csqrt##s(of_parts##s(x - 1, y)), plus = csqrt##s(of_parts##s(x + 1, y));                \
    real sine = __real__ minus * __real__ plus + __imag__ minus * __imag__ plus;                            \
    return of_parts##s(asinh##s(sine), 2 * atan2##s(__imag__ minus, __real__ plus));                        \
  }                                                                                                         \
  complex catanh##s(complex z) {                                                                            \
    real x = __real__ z, y = __imag__ z;                                                                    \
    real distance = (1 - fabs##s(x)) * (1 - fabs##s(x)) + y * y;                                            \
    real imaginary = atan2##s(2 * y, (1 - x) * (1 + x) - y * y) / 2;                                        \
    return of_parts##s(copysign##s(log1p##s(4 * fabs##s(x) / distance) / 4, x), imaginary);                 \
  }                                                                                                         \
  complex casinh##s(complex z) { return times_i##s(casin##s(over_i##s(z))); }                               \
  complex catan##s(complex z) { return over_i##s(catanh##s(times_i##s(z))); }

#define COMPLEX_FUNCTIONS(real, complex, s, mul) \
  PARTS(real, complex, s, mul)                   \
  EXPONENTIALS(real, complex, s)                 \
  HYPERBOLICS(real, complex, s)                  \
  TRIGONOMETRICS(real, complex, s)               \
  INVERSES(real, complex, s)

// <complex.h> makes a macro of the word.
#undef complex

COMPLEX_FUNCTIONS(float, float _Complex, f, __mulsc3)
COMPLEX_FUNCTIONS(double, double _Complex, , __muldc3)
COMPLEX_FUNCTIONS(long double, long double _Complex, l, __mulxc3)
