// A recursive-descent calculator: tokens, precedence, unary operators, functions, variables, error messages.
// stdin: 1 + 2 * 3\n(1 + 2) * 3\n-2^2\n2^3^2\nx = 10 / 4\nx * (y = 3) - y\nsqrt(16) + max(3, 7, x)\n1 / 0\n2 +\n(3\nfoo(1)\nz + 1\n3 3\n1e3 % 7\nabs(-x)\n
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { END, NUMBER, NAME, OP };

struct token {
    enum kind kind;
    double number;
    char name[16], op;
};

static const char *input;
static struct token token;
static jmp_buf failure;
static struct variable { char name[16]; double value; } variables[26];
static int n_variables;

static void fail(const char *why, const char *what) {
    printf("error: %s %s\n", why, what);
    longjmp(failure, 1);
}

static void next(void) {
    while (isspace((unsigned char)*input))
        input++;
    if (!*input) {
        token.kind = END;
    } else if (isdigit((unsigned char)*input) || *input == '.') {
        char *end;
        token.kind = NUMBER;
        token.number = strtod(input, &end);
        input = end;
    } else if (isalpha((unsigned char)*input)) {
        size_t n = 0;
        token.kind = NAME;
        while (isalnum((unsigned char)*input)) {
            if (n < sizeof token.name - 1)
                token.name[n++] = *input;
            input++;
        }
        token.name[n] = 0;
    } else {
        token.kind = OP;
        token.op = *input++;
    }
}

static int accept(char op) {
    if (token.kind != OP || token.op != op)
        return 0;
    next();
    return 1;
}

static void expect(char op) {
    char text[2] = {op, 0};
    if (!accept(op))
        fail("expected", text);
}

static double expression(void);

static struct variable *variable(const char *name) {
    for (int i = 0; i < n_variables; i++)
        if (strcmp(variables[i].name, name) == 0)
            return &variables[i];
    return NULL;
}

static double call(const char *name) {
    double args[8];
    int n = 0;
    if (!accept(')')) {
        do
            args[n++] = expression();
        while (n < 8 && accept(','));
        expect(')');
    }
    if (strcmp(name, "sqrt") == 0 && n == 1)
        return sqrt(args[0]);
    if (strcmp(name, "abs") == 0 && n == 1)
        return fabs(args[0]);
    if (strcmp(name, "max") == 0 && n > 0) {
        double m = args[0];
        for (int i = 1; i < n; i++)
            m = args[i] > m ? args[i] : m;
        return m;
    }
    fail("no such function:", name);
    return 0;
}

static double primary(void) {
    if (token.kind == NUMBER) {
        double value = token.number;
        next();
        return value;
    }
    if (token.kind == NAME) {
        char name[16];
        strcpy(name, token.name);
        next();
        if (accept('('))
            return call(name);
        if (accept('=')) {
            double value = expression();
            struct variable *v = variable(name);
            if (!v) {
                v = &variables[n_variables++];
                strcpy(v->name, name);
            }
            return v->value = value;
        }
        struct variable *v = variable(name);
        if (!v)
            fail("no such variable:", name);
        return v->value;
    }
    if (accept('(')) {
        double value = expression();
        expect(')');
        return value;
    }
    fail("expected", "a value");
    return 0;
}

static double unary(void);

static double power(void) {
    double base = primary();
    return accept('^') ? pow(base, unary()) : base;
}

static double unary(void) { return accept('-') ? -unary() : accept('+') ? unary() : power(); }

static double product(void) {
    double value = unary();
    for (;;) {
        if (accept('*')) {
            value *= unary();
        } else if (accept('/')) {
            double by = unary();
            if (by == 0)
                fail("division", "by zero");
            value /= by;
        } else if (accept('%')) {
            value = fmod(value, unary());
        } else {
            return value;
        }
    }
}

static double expression(void) {
    double value = product();
    for (;;) {
        if (accept('+'))
            value += product();
        else if (accept('-'))
            value -= product();
        else
            return value;
    }
}

int main(void) {
    char line[100];
    while (fgets(line, sizeof line, stdin)) {
        input = line;
        if (setjmp(failure))
            continue;
        next();
        double value = expression();
        if (token.kind != END)
            fail("trailing", "input");
        printf("%.10g\n", value);
    }
    return 0;
}
