// Exceptions by setjmp: a stack of handlers, rethrow, sigsetjmp without saving the mask.
#include <setjmp.h>
#include <stdio.h>

static struct handler { struct handler *outer; sigjmp_buf env; } *handlers;

static void throw_(int code) {
    struct handler *h = handlers;
    handlers = h->outer;
    siglongjmp(h->env, code);
}

static int risky(int n) {
    struct handler h = {handlers, {{{0}}}};
    int code = sigsetjmp(h.env, 0);
    if (code) {
        printf("risky(%d) caught %d\n", n, code);
        if (code % 2)
            throw_(code + 1);
        return -code;
    }
    handlers = &h;
    if (n > 2)
        throw_(n);
    int r = n + 1;
    handlers = h.outer;
    return r;
}

int main(void) {
    for (int n = 0; n < 6; n++) {
        struct handler h = {0};
        int code = sigsetjmp(h.env, 0);
        if (code) {
            printf("main caught %d\n", code);
            break;
        }
        handlers = &h;
        printf("%d\n", risky(n * 2));
    }
    struct handler h = {0};
    int code = sigsetjmp(h.env, 0);
    if (code) {
        printf("again %d\n", code);
        return 0;
    }
    handlers = &h;
    risky(7);
    return 1;
}
