// Commands that a program has run by the shell. Nothing is ever run: while paths are explored, what a command writes and how
// it ends is input. Otherwise there is no shell.

#include "rt.h"

// What a command writes at most.
enum { MOST_OUTPUT = 8 };

// The command must be text; what it says is no matter of the path.
static void check_command(const char *command) {
  RT_MUTED(RT_OUTPUT);
  (void)strlen(command);
}

// How a command ended, as wait tells it: by exit, by a signal, or -1 if nobody can say.
static int status_of(const char *function) {
  int status = 0;
#ifdef RT_FOLLOWED
  __sp_make_input(&status, sizeof status, function);
  int exited = (status & ~0xff00) == 0;
  int killed = ((status & ~0xff) == 0) & ((status & 0x7f) != 0x7f);
  __sp_assume((status == -1) | exited | killed);
  if (status == -1) errno = ECHILD;
#endif
  (void)function;
  return status;
}

int system(const char *command) {
#ifdef RT_FOLLOWED
  if (!command) return 1;
  check_command(command);
  RT_NOTE(RT_COMMAND, "system", "returns an input, and is taken to do nothing else");
  return status_of("system");
#endif
  // There is no shell to run a command with.
  return command ? __rt_fail(ENOSYS) : 0;
}

struct command {
  signed char length;
  char output[MOST_OUTPUT];
  int position;
};

// One at a time, so that each is a matter of the path only when it is asked for.
static long command_read(struct stream *stream, char *buf, size_t n) {
  struct command *command = stream->cookie;
  if (n == 0 || command->position >= command->length) return 0;
  buf[0] = command->output[command->position++];
  return 1;
}

static long command_write(struct stream *stream, const char *buf, size_t n) {
  (void)stream;
  (void)buf;
  return (long)n;
}

static long command_seek(struct stream *stream, long offset, int whence) {
  (void)stream;
  (void)offset;
  (void)whence;
  return -ESPIPE;
}

static long command_close(struct stream *stream) {
  free(stream->cookie);
  return 0;
}

static const struct device command_device = {command_read, command_write, command_seek, command_close};

static int is_mode(const char *mode) {
  return (mode[0] == 'r' || mode[0] == 'w') && (mode[1] == '\0' || (mode[1] == 'e' && mode[2] == '\0'));
}

FILE *popen(const char *text, const char *mode) {
  unsigned access = mode[0] == 'r' ? RT_READABLE : RT_WRITABLE | RT_DROPPED;
  struct command *command;
  struct stream *stream;
  if (!is_mode(mode)) {
    errno = EINVAL;
    return NULL;
  }
  check_command(text);
#ifndef RT_FOLLOWED
  __sp_unsupported("a call of `popen`: processes are not supported");
#endif
  command = calloc(1, sizeof *command);
  if (!command) return NULL;
  RT_NOTE(RT_COMMAND, "popen", "is taken to run a command that writes up to 8 bytes and does nothing else");
#ifdef RT_FOLLOWED
  __sp_make_input(&command->length, 1, "popen length");
  __sp_assume((command->length >= -1) & (command->length <= MOST_OUTPUT));
#endif
  stream = command->length < 0 ? NULL : __rt_stream_new(&command_device, access);
  if (!stream) {
    free(command);
    errno = EMFILE;
    return NULL;
  }
#ifdef RT_FOLLOWED
  if (mode[0] == 'r') __sp_make_input(command->output, MOST_OUTPUT, "popen output");
#endif
  stream->cookie = command;
  return &stream->pub;
}

int pclose(FILE *file) {
  struct stream *stream = __rt_stream(file);
  if (stream->device != &command_device) return __rt_fail(EINVAL);
  __rt_close(stream);
  return status_of("pclose");
}
