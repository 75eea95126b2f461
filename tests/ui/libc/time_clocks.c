// Clocks move forward and agree roughly; nothing that depends on the time of day is printed.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    time_t a = time(NULL), b;
    struct timeval tv;
    struct timespec ts, mono, later;
    int ok = time(&b) == b && b >= a;
    ok &= gettimeofday(&tv, NULL) == 0 && tv.tv_sec >= a && tv.tv_usec >= 0 && tv.tv_usec < 1000000;
    ok &= clock_gettime(CLOCK_REALTIME, &ts) == 0 && ts.tv_sec >= a && ts.tv_nsec < 1000000000;
    ok &= clock_gettime(CLOCK_MONOTONIC, &mono) == 0;
    ok &= clock_gettime(CLOCK_MONOTONIC, &later) == 0;
    ok &= later.tv_sec > mono.tv_sec || (later.tv_sec == mono.tv_sec && later.tv_nsec >= mono.tv_nsec);
    clock_t c = clock();
    ok &= c != (clock_t)-1 && clock() >= c;
    printf("%d %d\n", ok, a > 1600000000);
    return 0;
}
