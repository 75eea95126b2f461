// Threads, processes and sockets end a path, and no more: locks of a program with one thread work.
// stopped: incomplete
// ledger: a call of `pthread_create`: threads are not supported
// ledger: a call of `fork`: processes are not supported
// ledger: a call of `execv`: processes are not supported
// ledger: a call of `socket`: sockets are not supported
#include <assert.h>
#include <errno.h>
#include <klee/klee.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int n;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *p) {
  pthread_mutex_lock(&mutex);
  n += *(int *)p;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  int x = klee_int("x");
  switch (klee_range(0, 6, "which")) {
  case 0:
    pthread_create(&thread, 0, work, &x);
    pthread_join(thread, 0);
    return 10 / (n - 5);
  case 1:
    return fork() == 0;
  case 2:
    return socket(AF_INET, SOCK_STREAM, 0) < 0;
  case 3:
    return execv("/bin/true", (char *[]){"true", 0});
  case 4:
    assert(waitpid(-1, 0, 0) == -1 && errno == ECHILD && wait(0) == -1);
    return 0;
  default:
    work(&x);
    return 10 / (n - 5); //~ BUG(div-by-zero)
  }
}
