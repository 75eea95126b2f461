// Names and texts of signals.

#include "rt.h"

#include <signal.h>

#define ROW(name, text) [SIG##name] = {#name, text}

static const struct signal_row {
  char name[8];
  char text[28];
} signals[] = {
    ROW(HUP, "Hangup"),
    ROW(INT, "Interrupt"),
    ROW(QUIT, "Quit"),
    ROW(ILL, "Illegal instruction"),
    ROW(TRAP, "Trace/breakpoint trap"),
    ROW(ABRT, "Aborted"),
    ROW(BUS, "Bus error"),
    ROW(FPE, "Floating point exception"),
    ROW(KILL, "Killed"),
    ROW(USR1, "User defined signal 1"),
    ROW(SEGV, "Segmentation fault"),
    ROW(USR2, "User defined signal 2"),
    ROW(PIPE, "Broken pipe"),
    ROW(ALRM, "Alarm clock"),
    ROW(TERM, "Terminated"),
    ROW(STKFLT, "Stack fault"),
    ROW(CHLD, "Child exited"),
    ROW(CONT, "Continued"),
    ROW(STOP, "Stopped (signal)"),
    ROW(TSTP, "Stopped"),
    ROW(TTIN, "Stopped (tty input)"),
    ROW(TTOU, "Stopped (tty output)"),
    ROW(URG, "Urgent I/O condition"),
    ROW(XCPU, "CPU time limit exceeded"),
    ROW(XFSZ, "File size limit exceeded"),
    ROW(VTALRM, "Virtual timer expired"),
    ROW(PROF, "Profiling timer expired"),
    ROW(WINCH, "Window changed"),
    ROW(POLL, "I/O possible"),
    ROW(PWR, "Power failure"),
    ROW(SYS, "Bad system call"),
};

static const struct signal_row *find(int signal) {
  return signal >= 1 && signal < (int)(sizeof signals / sizeof *signals) ? &signals[signal] : NULL;
}

const char *sigabbrev_np(int signal) {
  const struct signal_row *row = find(signal);
  return row ? row->name : NULL;
}

const char *sigdescr_np(int signal) {
  const struct signal_row *row = find(signal);
  return row ? row->text : NULL;
}

char *strsignal(int signal) {
  static char other[40];
  const struct signal_row *row = find(signal);
  if (row) return (char *)row->text;
  if (signal >= 34 && signal <= 64) {
    snprintf(other, sizeof other, "Real-time signal %d", signal - 34);
  } else {
    snprintf(other, sizeof other, "Unknown signal %d", signal);
  }
  return other;
}
