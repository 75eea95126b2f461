// The __sync and __atomic builtins, including min, max and nand forms.
#include <stdio.h>

int main(void) {
    int x = 10;
    unsigned short h = 65535;
    long long w = -1;
    printf("%d %d ", __sync_fetch_and_add(&x, 5), x);
    printf("%d ", __sync_add_and_fetch(&x, 5));
    printf("%d ", __sync_sub_and_fetch(&x, 1));
    printf("%d ", __sync_or_and_fetch(&x, 0x40));
    printf("%d ", __sync_and_and_fetch(&x, 0x5a));
    printf("%d ", __sync_xor_and_fetch(&x, 3));
    printf("%d\n", __sync_nand_and_fetch(&x, 0xf));
    int did = __sync_bool_compare_and_swap(&x, -10, 1);
    int old = __sync_val_compare_and_swap(&x, x, 100);
    printf("%d %d %d\n", did, old, x);
    printf("%d %d\n", __sync_lock_test_and_set(&x, 7), x);
    __sync_lock_release(&x);
    __sync_synchronize();
    printf("%d %d\n", x, __atomic_add_fetch(&h, 2, __ATOMIC_SEQ_CST));
    printf("%lld ", __atomic_fetch_sub(&w, 41, __ATOMIC_RELAXED));
    printf("%lld ", __atomic_exchange_n(&w, 5, __ATOMIC_ACQ_REL));
    printf("%lld ", __atomic_fetch_nand(&w, 1, __ATOMIC_RELEASE));
    printf("%lld\n", __atomic_load_n(&w, __ATOMIC_ACQUIRE));
    unsigned u = 50;
    printf("%u %u\n", __atomic_fetch_min(&u, 20u, __ATOMIC_RELAXED), __atomic_fetch_max(&u, 90u, __ATOMIC_RELAXED));
    int e = 1, t = 44;
    __atomic_store_n(&x, 1, __ATOMIC_RELEASE);
    did = __atomic_compare_exchange(&x, &e, &t, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    printf("%d %d %u\n", did, x, u);
    return 0;
}
