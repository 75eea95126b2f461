// LU decomposition with pivoting: solving, determinant, inverse, and the residual of a random system.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix { int n; double *v; };
#define AT(m, i, j) ((m).v[(i) * (m).n + (j)])

static struct matrix make(int n) { return (struct matrix){n, calloc((size_t)(n * n), sizeof(double))}; }

static int decompose(struct matrix m, int *perm) {
    int sign = 1;
    for (int i = 0; i < m.n; i++)
        perm[i] = i;
    for (int k = 0; k < m.n; k++) {
        int p = k;
        for (int i = k + 1; i < m.n; i++)
            if (fabs(AT(m, i, k)) > fabs(AT(m, p, k)))
                p = i;
        if (AT(m, p, k) == 0)
            return 0;
        if (p != k) {
            for (int j = 0; j < m.n; j++) {
                double t = AT(m, k, j);
                AT(m, k, j) = AT(m, p, j);
                AT(m, p, j) = t;
            }
            int t = perm[k];
            perm[k] = perm[p];
            perm[p] = t;
            sign = -sign;
        }
        for (int i = k + 1; i < m.n; i++) {
            double f = AT(m, i, k) /= AT(m, k, k);
            for (int j = k + 1; j < m.n; j++)
                AT(m, i, j) -= f * AT(m, k, j);
        }
    }
    return sign;
}

static void solve(struct matrix lu, const int *perm, const double *b, double *x) {
    for (int i = 0; i < lu.n; i++) {
        x[i] = b[perm[i]];
        for (int j = 0; j < i; j++)
            x[i] -= AT(lu, i, j) * x[j];
    }
    for (int i = lu.n - 1; i >= 0; i--) {
        for (int j = i + 1; j < lu.n; j++)
            x[i] -= AT(lu, i, j) * x[j];
        x[i] /= AT(lu, i, i);
    }
}

int main(void) {
    struct matrix a = make(3);
    const double values[] = {2, 1, -1, -3, -1, 2, -2, 1, 2}, b[] = {8, -11, -3};
    int perm[20];
    double x[20];
    for (int i = 0; i < 9; i++)
        a.v[i] = values[i];
    int sign = decompose(a, perm);
    solve(a, perm, b, x);
    printf("%.12g %.12g %.12g det %.12g\n", x[0], x[1], x[2], sign * AT(a, 0, 0) * AT(a, 1, 1) * AT(a, 2, 2));
    for (int j = 0; j < 3; j++) {
        double unit[3] = {0};
        unit[j] = 1;
        solve(a, perm, unit, x);
        printf("%a %a %a\n", x[0], x[1], x[2]);
    }
    free(a.v);
    int n = 20;
    struct matrix m = make(n), lu = make(n);
    double rhs[20], worst = 0;
    unsigned seed = 99;
    for (int i = 0; i < n * n; i++)
        m.v[i] = lu.v[i] = ((seed = seed * 1664525 + 1013904223) >> 8) / 16777216.0 - 0.5;
    for (int i = 0; i < n; i++)
        rhs[i] = i;
    sign = decompose(lu, perm);
    solve(lu, perm, rhs, x);
    for (int i = 0; i < n; i++) {
        double r = -rhs[i];
        for (int j = 0; j < n; j++)
            r += AT(m, i, j) * x[j];
        worst = fmax(worst, fabs(r));
    }
    printf("%d %a %a %d\n", sign, x[0], x[19], worst < 1e-10);
    struct matrix singular = make(4);
    printf("%d\n", decompose(singular, perm));
    free(singular.v);
    free(m.v);
    free(lu.v);
    return 0;
}
