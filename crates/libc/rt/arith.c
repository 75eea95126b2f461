// Integer arithmetic of <stdlib.h> and <inttypes.h>.

#include "rt.h"

#include <inttypes.h>

int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }
intmax_t imaxabs(intmax_t n) { return n < 0 ? -n : n; }

div_t div(int n, int by) { return (div_t){n / by, n % by}; }
ldiv_t ldiv(long n, long by) { return (ldiv_t){n / by, n % by}; }
lldiv_t lldiv(long long n, long long by) { return (lldiv_t){n / by, n % by}; }
imaxdiv_t imaxdiv(intmax_t n, intmax_t by) { return (imaxdiv_t){n / by, n % by}; }
