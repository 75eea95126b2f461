// Signals of a program that is alone: only it can send one, so a handler runs synchronously inside raise, kill, abort,
// or the call that unblocks its signal. Nothing arrives from outside.

#include "rt.h"

#include <signal.h>

enum { HIGHEST_SIGNAL = 64 };

static struct sigaction actions[HIGHEST_SIGNAL + 1];
static uint64_t blocked, pending;
char __rt_interruptible;

static int is_signal(int signal) { return signal >= 1 && signal <= HIGHEST_SIGNAL; }
static uint64_t bit(int signal) { return (uint64_t)1 << (signal - 1); }
static uint64_t bits_of(const sigset_t *set) { return set->__val[0]; }

static void set_bits(sigset_t *set, uint64_t bits) {
  memset(set, 0, sizeof *set);
  set->__val[0] = bits;
}

// ---- Delivery

static void act_by_default(int signal) {
  switch (signal) {
    case SIGCHLD: case SIGCONT: case SIGURG: case SIGWINCH:
    case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU:
      // Ignored, or stopped until someone continues it: no difference to the program.
      return;
    case SIGABRT: __sp_abort("aborted");
    default: __sp_raise(signal);
  }
}

static void call_handler(const struct sigaction *action, int signal) {
  if (action->sa_flags & SA_SIGINFO) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = signal;
    info.si_code = SI_TKILL;
    info.si_pid = (int)__sp_getpid();
    action->sa_sigaction(signal, &info, NULL);
  } else {
    action->sa_handler(signal);
  }
}

static void deliver(int signal) {
  struct sigaction action = actions[signal];
  uint64_t before = blocked;
  if (action.sa_handler == SIG_IGN) return;
  if (action.sa_handler == SIG_DFL) {
    act_by_default(signal);
    return;
  }
  if (action.sa_flags & SA_RESETHAND) actions[signal].sa_handler = SIG_DFL;
  blocked |= bits_of(&action.sa_mask);
  if (!(action.sa_flags & SA_NODEFER)) blocked |= bit(signal);
  call_handler(&action, signal);
  blocked = before;
}

static void deliver_pending(void) {
  while (pending & ~blocked) {
    int signal = __builtin_ctzl(pending & ~blocked) + 1;
    pending &= ~bit(signal);
    deliver(signal);
  }
}

int raise(int signal) {
  if (signal == 0) return 0;
  if (!is_signal(signal)) return __rt_fail(EINVAL);
  pending |= bit(signal);
  deliver_pending();
  return 0;
}

RT_ALIAS(gsignal, raise);

static int signal_to(pid_t process, int signal) {
  pid_t own = (pid_t)__sp_getpid();
  if (process != 0 && process != -1 && process != own && process != -own) return __rt_fail(ESRCH);
  return raise(signal);
}

int kill(pid_t process, int signal) { return signal_to(process, signal); }

int killpg(pid_t group, int signal) { return group < 0 ? __rt_fail(EINVAL) : signal_to(-group, signal); }

_Noreturn void abort(void) {
  blocked &= ~bit(SIGABRT);
  raise(SIGABRT);
  __sp_abort("aborted");
}

// ---- Actions

int sigaction(int signal, const struct sigaction *new_action, struct sigaction *old_action) {
  if (!is_signal(signal)) return __rt_fail(EINVAL);
  if (new_action && (signal == SIGKILL || signal == SIGSTOP)) return __rt_fail(EINVAL);
  if (old_action) *old_action = actions[signal];
  if (!new_action) return 0;
  actions[signal] = *new_action;
  if (new_action->sa_handler != SIG_DFL && new_action->sa_handler != SIG_IGN) __rt_interruptible = 1;
  return 0;
}

RT_ALIAS(__sigaction, sigaction);

static sighandler_t replace_handler(int signal, sighandler_t handler, int flags) {
  struct sigaction action, old_action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  return sigaction(signal, &action, &old_action) < 0 ? SIG_ERR : old_action.sa_handler;
}

sighandler_t signal(int signal, sighandler_t handler) { return replace_handler(signal, handler, SA_RESTART); }

sighandler_t __sysv_signal(int signal, sighandler_t handler) {
  return replace_handler(signal, handler, SA_RESETHAND | SA_NODEFER);
}

RT_ALIAS(bsd_signal, signal);
RT_ALIAS(ssignal, signal);
RT_ALIAS(sysv_signal, __sysv_signal);

int siginterrupt(int signal, int interrupt) {
  if (!is_signal(signal)) return __rt_fail(EINVAL);
  if (interrupt) actions[signal].sa_flags &= ~SA_RESTART;
  else actions[signal].sa_flags |= SA_RESTART;
  return 0;
}

// ---- Masks

static int change_mask(int how, const sigset_t *set, sigset_t *old_set) {
  static const uint64_t unblockable = (uint64_t)1 << (SIGKILL - 1) | (uint64_t)1 << (SIGSTOP - 1);
  uint64_t before = blocked;
  if (set) {
    switch (how) {
      case SIG_BLOCK: blocked |= bits_of(set); break;
      case SIG_UNBLOCK: blocked &= ~bits_of(set); break;
      case SIG_SETMASK: blocked = bits_of(set); break;
      default: return EINVAL;
    }
    blocked &= ~unblockable;
  }
  if (old_set) set_bits(old_set, before);
  deliver_pending();
  return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old_set) {
  int error = change_mask(how, set, old_set);
  return error ? __rt_fail(error) : 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old_set) { return change_mask(how, set, old_set); }

int sigpending(sigset_t *set) {
  set_bits(set, pending);
  return 0;
}

int sigemptyset(sigset_t *set) {
  set_bits(set, 0);
  return 0;
}

int sigfillset(sigset_t *set) {
  memset(set, 0xff, sizeof *set);
  // The two that glibc keeps for its threads.
  set->__val[0] &= ~(bit(32) | bit(33));
  return 0;
}

int sigaddset(sigset_t *set, int signal) {
  if (!is_signal(signal)) return __rt_fail(EINVAL);
  set->__val[0] |= bit(signal);
  return 0;
}

int sigdelset(sigset_t *set, int signal) {
  if (!is_signal(signal)) return __rt_fail(EINVAL);
  set->__val[0] &= ~bit(signal);
  return 0;
}

int sigismember(const sigset_t *set, int signal) {
  return is_signal(signal) ? (set->__val[0] & bit(signal)) != 0 : __rt_fail(EINVAL);
}

int sigisemptyset(const sigset_t *set) { return bits_of(set) == 0; }

int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return HIGHEST_SIGNAL; }
