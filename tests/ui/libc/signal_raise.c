// Handlers run inside raise; SIG_IGN ignores; signal returns the previous handler; sigaction tells.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t seen, count;
static void handler(int sig) {
    seen = sig;
    count++;
}

int main(void) {
    printf("%d\n", signal(SIGUSR1, handler) == SIG_DFL);
    printf("%d %d %d\n", raise(SIGUSR1), seen == SIGUSR1, count);
    printf("%d\n", signal(SIGUSR1, SIG_IGN) == handler);
    printf("%d %d\n", raise(SIGUSR1), count);
    struct sigaction sa = {0}, old;
    sa.sa_handler = handler;
    sigemptyset(&sa.sa_mask);
    sigaddset(&sa.sa_mask, SIGINT);
    printf("%d %d\n", sigismember(&sa.sa_mask, SIGINT), sigismember(&sa.sa_mask, SIGTERM));
    sigaction(SIGTERM, &sa, NULL);
    sigaction(SIGTERM, NULL, &old);
    printf("%d %d %d\n", old.sa_handler == handler, raise(SIGTERM), count);
    printf("%d\n", raise(0));
    return 0;
}
