// Threads of a program that has one: locks are bookkeeping, waiting returns at once. A program that creates another thread
// ends there.

#include "rt.h"

#include <pthread.h>
#include <semaphore.h>

static struct { char unused; } only_thread;

pthread_t pthread_self(void) { return (pthread_t)&only_thread; }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

// Whoever waits for the only thread waits for itself.
int pthread_join(pthread_t thread, void **result) {
  (void)result;
  return thread == (pthread_t)&only_thread ? EDEADLK : ESRCH;
}

int pthread_detach(pthread_t thread) { return thread == (pthread_t)&only_thread ? 0 : ESRCH; }

// The process ends with its last thread.
_Noreturn void pthread_exit(void *result) {
  (void)result;
  exit(0);
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  (void)prepare;
  (void)parent;
  (void)child;
  return 0;
}

int pthread_once(pthread_once_t *once, void (*function)(void)) {
  if (*once == 0) {
    *once = 1;
    function();
  }
  return 0;
}

// ---- Mutexes

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  memset(attributes, 0, sizeof *attributes);
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind) {
  if (kind < PTHREAD_MUTEX_NORMAL || kind > PTHREAD_MUTEX_ADAPTIVE_NP) return EINVAL;
  memcpy(attributes, &kind, sizeof kind);
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict kind) {
  memcpy(kind, attributes, sizeof *kind);
  return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  memset(mutex, 0, sizeof *mutex);
  if (attributes) memcpy(&mutex->__data.__kind, attributes, sizeof mutex->__data.__kind);
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) { return mutex->__data.__lock ? EBUSY : 0; }

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  if (mutex->__data.__lock && mutex->__data.__kind != PTHREAD_MUTEX_RECURSIVE) return EBUSY;
  mutex->__data.__lock++;
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (pthread_mutex_trylock(mutex) == 0) return 0;
  if (mutex->__data.__kind == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  // Nobody is left who could unlock it.
  __sp_abort("deadlock: the only thread waits for a mutex that it holds");
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  (void)until;
  return pthread_mutex_trylock(mutex) == 0 ? 0 : ETIMEDOUT;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (mutex->__data.__lock == 0) return EPERM;
  mutex->__data.__lock--;
  return 0;
}

// ---- Condition variables and the other locks: with nobody to wait for, waiting is a spurious wake-up.

#define ALWAYS_SUCCEEDS_1(name, type) \
  int name(type a) {                  \
    (void)a;                          \
    return 0;                         \
  }

#define ALWAYS_SUCCEEDS_2(name, type_a, type_b) \
  int name(type_a a, type_b b) {                \
    (void)a;                                    \
    (void)b;                                    \
    return 0;                                   \
  }

ALWAYS_SUCCEEDS_2(pthread_cond_init, pthread_cond_t *restrict, const pthread_condattr_t *restrict)
ALWAYS_SUCCEEDS_1(pthread_cond_destroy, pthread_cond_t *)
ALWAYS_SUCCEEDS_1(pthread_cond_signal, pthread_cond_t *)
ALWAYS_SUCCEEDS_1(pthread_cond_broadcast, pthread_cond_t *)
ALWAYS_SUCCEEDS_2(pthread_cond_wait, pthread_cond_t *restrict, pthread_mutex_t *restrict)
ALWAYS_SUCCEEDS_2(pthread_rwlock_init, pthread_rwlock_t *restrict, const pthread_rwlockattr_t *restrict)
ALWAYS_SUCCEEDS_1(pthread_rwlock_destroy, pthread_rwlock_t *)
ALWAYS_SUCCEEDS_1(pthread_rwlock_rdlock, pthread_rwlock_t *)
ALWAYS_SUCCEEDS_1(pthread_rwlock_wrlock, pthread_rwlock_t *)
ALWAYS_SUCCEEDS_1(pthread_rwlock_unlock, pthread_rwlock_t *)
ALWAYS_SUCCEEDS_2(pthread_spin_init, pthread_spinlock_t *, int)
ALWAYS_SUCCEEDS_1(pthread_spin_destroy, pthread_spinlock_t *)
ALWAYS_SUCCEEDS_1(pthread_spin_lock, pthread_spinlock_t *)
ALWAYS_SUCCEEDS_1(pthread_spin_unlock, pthread_spinlock_t *)
ALWAYS_SUCCEEDS_1(pthread_attr_init, pthread_attr_t *)
ALWAYS_SUCCEEDS_1(pthread_attr_destroy, pthread_attr_t *)
ALWAYS_SUCCEEDS_2(pthread_setcancelstate, int, int *)
ALWAYS_SUCCEEDS_2(pthread_setcanceltype, int, int *)
ALWAYS_SUCCEEDS_2(pthread_attr_setstacksize, pthread_attr_t *, size_t)
ALWAYS_SUCCEEDS_2(pthread_attr_setdetachstate, pthread_attr_t *, int)
ALWAYS_SUCCEEDS_2(pthread_setname_np, pthread_t, const char *)
ALWAYS_SUCCEEDS_1(pthread_condattr_init, pthread_condattr_t *)
ALWAYS_SUCCEEDS_1(pthread_condattr_destroy, pthread_condattr_t *)
ALWAYS_SUCCEEDS_2(pthread_condattr_setclock, pthread_condattr_t *, clockid_t)
ALWAYS_SUCCEEDS_1(pthread_rwlockattr_init, pthread_rwlockattr_t *)
ALWAYS_SUCCEEDS_1(pthread_rwlockattr_destroy, pthread_rwlockattr_t *)
ALWAYS_SUCCEEDS_1(pthread_rwlock_tryrdlock, pthread_rwlock_t *)
ALWAYS_SUCCEEDS_1(pthread_rwlock_trywrlock, pthread_rwlock_t *)
ALWAYS_SUCCEEDS_1(pthread_spin_trylock, pthread_spinlock_t *)
ALWAYS_SUCCEEDS_2(pthread_mutexattr_setpshared, pthread_mutexattr_t *, int)

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
  (void)condition;
  (void)mutex;
  (void)until;
  return ETIMEDOUT;
}

// ---- Values per thread

static struct {
  int used;
  void *value;
} keys[PTHREAD_KEYS_MAX];

// Destructors run when a thread ends, and the only one ends with the program.
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  (void)destructor;
  for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++) {
    if (keys[i].used) continue;
    keys[i].used = 1;
    keys[i].value = NULL;
    *key = i;
    return 0;
  }
  return EAGAIN;
}

int pthread_key_delete(pthread_key_t key) {
  if (key >= PTHREAD_KEYS_MAX || !keys[key].used) return EINVAL;
  keys[key].used = 0;
  return 0;
}

void *pthread_getspecific(pthread_key_t key) {
  return key < PTHREAD_KEYS_MAX && keys[key].used ? keys[key].value : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  if (key >= PTHREAD_KEYS_MAX || !keys[key].used) return EINVAL;
  keys[key].value = (void *)value;
  return 0;
}

// ---- Semaphores: the first word is the count.

static unsigned *count_of(sem_t *semaphore) { return (unsigned *)semaphore; }

int sem_init(sem_t *semaphore, int shared, unsigned value) {
  (void)shared;
  memset(semaphore, 0, sizeof *semaphore);
  *count_of(semaphore) = value;
  return 0;
}

int sem_destroy(sem_t *semaphore) {
  (void)semaphore;
  return 0;
}

int sem_post(sem_t *semaphore) {
  ++*count_of(semaphore);
  return 0;
}

int sem_trywait(sem_t *semaphore) {
  if (*count_of(semaphore) == 0) return __rt_fail(EAGAIN);
  --*count_of(semaphore);
  return 0;
}

int sem_wait(sem_t *semaphore) {
  if (sem_trywait(semaphore) < 0) __sp_abort("deadlock: the only thread waits for a semaphore");
  return 0;
}

int sem_getvalue(sem_t *restrict semaphore, int *restrict value) {
  *value = (int)*count_of(semaphore);
  return 0;
}
