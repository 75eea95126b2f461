// A backtracking matcher: literals, dot, classes, anchors, groups, alternation and the three repetitions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum op { CHAR, ANY, SET, CAT, ALT, REP, BOL, EOL, EMPTY };
struct re { enum op op; struct re *a, *b; int min, max; unsigned char set[32]; char c; };

static const char *at;
static struct re *pool[200];
static int n_pool;

static struct re *node(enum op op, struct re *a, struct re *b) {
    struct re *r = calloc(1, sizeof *r);
    *r = (struct re){.op = op, .a = a, .b = b};
    return pool[n_pool++] = r;
}

static struct re *alternatives(void);

static struct re *class_(void) {
    struct re *r = node(SET, NULL, NULL);
    int negate = *at == '^' ? at++, 1 : 0;
    do {
        unsigned char lo = (unsigned char)*at++, hi = lo;
        if (at[0] == '-' && at[1] && at[1] != ']') {
            hi = (unsigned char)at[1];
            at += 2;
        }
        for (int c = lo; c <= hi; c++)
            r->set[c / 8] |= (unsigned char)(1 << c % 8);
    } while (*at && *at != ']');
    if (*at)
        at++;
    for (int i = 0; negate && i < 32; i++)
        r->set[i] = (unsigned char)~r->set[i];
    return r;
}

static struct re *atom(void) {
    struct re *r;
    switch (*at++) {
    case '.': return node(ANY, NULL, NULL);
    case '^': return node(BOL, NULL, NULL);
    case '$': return node(EOL, NULL, NULL);
    case '[': return class_();
    case '(':
        r = alternatives();
        if (*at == ')')
            at++;
        return r;
    case '\\': at++; /* fall through */
    default: r = node(CHAR, NULL, NULL); r->c = at[-1]; return r;
    }
}

static struct re *sequence(void) {
    struct re *r = node(EMPTY, NULL, NULL);
    while (*at && *at != '|' && *at != ')') {
        struct re *a = atom();
        while (*at && strchr("*+?", *at)) {
            a = node(REP, a, NULL);
            a->min = *at == '+';
            a->max = *at == '?' ? 1 : 1000;
            at++;
        }
        r = node(CAT, r, a);
    }
    return r;
}

static struct re *alternatives(void) {
    struct re *r = sequence();
    while (*at == '|') {
        at++;
        r = node(ALT, r, sequence());
    }
    return r;
}

/* What must match after the current node: a chain of continuations on the C stack. */
struct rest { const struct re *re; int count; const char *start; const struct rest *next; };

static const char *begin;
static const char *match(const struct re *r, const char *s, const struct rest *k);

static const char *proceed(const char *s, const struct rest *k) {
    if (!k)
        return s;
    if (k->re->op != REP)
        return match(k->re, s, k->next);
    if (k->count > 0 && s == k->start)
        return NULL;
    if (k->count < k->re->max) {
        struct rest again = {k->re, k->count + 1, s, k->next};
        const char *e = match(k->re->a, s, &again);
        if (e)
            return e;
    }
    return k->count >= k->re->min ? proceed(s, k->next) : NULL;
}

static const char *match(const struct re *r, const char *s, const struct rest *k) {
    unsigned char c = (unsigned char)*s;
    switch (r->op) {
    case EMPTY: return proceed(s, k);
    case CHAR: return *s == r->c ? proceed(s + 1, k) : NULL;
    case ANY: return *s ? proceed(s + 1, k) : NULL;
    case SET: return *s && r->set[c / 8] >> c % 8 & 1 ? proceed(s + 1, k) : NULL;
    case BOL: return s == begin ? proceed(s, k) : NULL;
    case EOL: return *s ? NULL : proceed(s, k);
    case CAT: {
        struct rest then = {r->b, 0, s, k};
        return match(r->a, s, &then);
    }
    case ALT: {
        const char *e = match(r->a, s, k);
        return e ? e : match(r->b, s, k);
    }
    case REP: {
        struct rest self = {r, 0, s, k};
        return proceed(s, &self);
    }
    }
    return NULL;
}

static void search(const char *pattern, const char *text) {
    at = pattern;
    n_pool = 0;
    struct re *r = alternatives();
    begin = text;
    const char *s = text, *e = NULL;
    for (; !(e = match(r, s, NULL)) && *s; s++)
        ;
    if (e)
        printf("%s ~ %s: [%.*s]\n", pattern, text, (int)(e - s), s);
    else
        printf("%s ~ %s: no\n", pattern, text);
    while (n_pool)
        free(pool[--n_pool]);
}

int main(void) {
    const char *cases[][2] = {{"abc", "xxabcxx"}, {"a.c", "abd aXc"}, {"^ab*c$", "abbbbc"}, {"^ab*c$", "xabc"}, {"a+b?", "caaab"}, {"(foo|bar)+", "xbarfoobaz"}, {"[a-c]+[^a-c]", "zzabcabcz"}, {"(a*)*b", "aaaaaaaac"}, {"x*", "aaa"}, {"(a|ab)(c|bcd)$", "abcd"}, {"\\.\\*", "a.*b"}, {"[0-9]+\\.[0-9]+", "pi is 3.14159"}, {"(a|b)*abb", "babaabb"}, {"", "empty"}, {"^$", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        search(cases[i][0], cases[i][1]);
    return 0;
}
