// Threads, mutexes and once-flags as a sequential program uses them.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int inits;
static void init(void) { inits++; }

int main(void) {
    pthread_once(&once, init);
    pthread_once(&once, init);
    printf("%d %d\n", pthread_mutex_lock(&lock), pthread_mutex_unlock(&lock));
    pthread_key_t key;
    int x = 4;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, &x);
    printf("%d %d %d\n", inits, *(int *)pthread_getspecific(key), pthread_equal(pthread_self(), pthread_self()) != 0);
    return 0;
}
