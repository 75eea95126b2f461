// <stdatomic.h>: all operations on several widths, compare-exchange both ways, flags, fences, a spin lock.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int counter = 5;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic(uint64_t) wide;
static _Atomic unsigned char byte;
static _Atomic(int *) pointer;
static _Atomic struct pair { int a, b; } pair;

int main(void) {
    printf("%d %d\n", atomic_fetch_add(&counter, 3), atomic_load(&counter));
    printf("%d ", atomic_fetch_sub_explicit(&counter, 1, memory_order_relaxed));
    printf("%d ", atomic_fetch_or(&counter, 0x70));
    printf("%d ", atomic_fetch_and(&counter, 0x3c));
    printf("%d ", atomic_fetch_xor(&counter, 0xff));
    printf("%d ", atomic_exchange(&counter, 9));
    int expected = 8;
    int done = atomic_compare_exchange_strong(&counter, &expected, 1);
    printf("%d %d ", done, expected);
    while (!atomic_compare_exchange_weak(&counter, &expected, 77))
        ;
    printf("%d\n", atomic_load_explicit(&counter, memory_order_acquire));
    atomic_store(&wide, UINT64_MAX);
    wide += 2;
    byte--;
    byte *= 3;
    counter = counter / 2;
    printf("%llu %d %d\n", (unsigned long long)wide, byte, counter++);
    int v[4] = {1, 2, 3, 4};
    atomic_store(&pointer, v);
    atomic_fetch_add(&pointer, 2);
    printf("%d\n", *atomic_load(&pointer));
    printf("%d", atomic_flag_test_and_set(&lock));
    printf("%d", atomic_flag_test_and_set(&lock));
    atomic_flag_clear(&lock);
    printf("%d\n", atomic_flag_test_and_set(&lock));
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acq_rel);
    struct pair p = {1, 2}, want = {1, 2}, next = {3, 4};
    atomic_store(&pair, p);
    done = atomic_compare_exchange_strong(&pair, &want, next);
    p = atomic_load(&pair);
    printf("%d %d %d %d\n", done, p.a, p.b, atomic_is_lock_free(&pair));
    return 0;
}
