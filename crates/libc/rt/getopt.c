// getopt, getopt_long and getopt_long_only with glibc's permutation of arguments and its messages.

#include "rt.h"

#include <getopt.h>

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

enum ordering { PERMUTE, REQUIRE_ORDER, RETURN_IN_ORDER };

// What is remembered between calls.
static struct {
  int initialised;
  enum ordering ordering;
  char *next;                       // rest of a group of short options
  int first_skipped, last_skipped;  // non-options passed over: [first, last)
} state;

// One call's parameters.
struct call {
  int argc;
  char **argv;
  const char *options;  // without the characters that select the ordering
  const struct option *long_options;
  int *long_index;
  int long_only;
  int quiet;
};

static void reverse(char **argv, int from, int to) {
  while (from < --to) {
    char *argument = argv[from];
    argv[from++] = argv[to];
    argv[to] = argument;
  }
}

// Moves the skipped non-options behind the options that followed them.
static void move_skipped(char **argv) {
  reverse(argv, state.first_skipped, state.last_skipped);
  reverse(argv, state.last_skipped, optind);
  reverse(argv, state.first_skipped, optind);
  state.first_skipped += optind - state.last_skipped;
  state.last_skipped = optind;
}

static void initialise(const char *options) {
  if (optind == 0) optind = 1;
  state.first_skipped = state.last_skipped = optind;
  state.next = NULL;
  state.initialised = 1;
  state.ordering = __rt_getenv("POSIXLY_CORRECT") ? REQUIRE_ORDER : PERMUTE;
  if (*options == '-') state.ordering = RETURN_IN_ORDER;
  else if (*options == '+') state.ordering = REQUIRE_ORDER;
}

static int is_option(const char *argument) { return argument[0] == '-' && argument[1] != '\0'; }

// Finds the next argument with options: 0, or the result that getopt is to return at once.
static int next_argument(const struct call *call) {
  char **argv = call->argv;
  if (state.last_skipped > optind) state.last_skipped = optind;
  if (state.first_skipped > optind) state.first_skipped = optind;
  if (state.ordering == PERMUTE) {
    if (state.first_skipped != state.last_skipped && state.last_skipped != optind) move_skipped(argv);
    else if (state.last_skipped != optind) state.first_skipped = optind;
    while (optind < call->argc && !is_option(argv[optind])) optind++;
    state.last_skipped = optind;
  }
  if (optind != call->argc && strcmp(argv[optind], "--") == 0) {
    optind++;
    if (state.first_skipped != state.last_skipped && state.last_skipped != optind) move_skipped(argv);
    else if (state.first_skipped == state.last_skipped) state.first_skipped = optind;
    state.last_skipped = call->argc;
    optind = call->argc;
  }
  if (optind == call->argc) {
    if (state.first_skipped != state.last_skipped) optind = state.first_skipped;
    return -1;
  }
  if (!is_option(argv[optind])) {
    if (state.ordering == REQUIRE_ORDER) return -1;
    optarg = argv[optind++];
    return 1;
  }
  return 0;
}

// ---- Long options

static int complain(const struct call *call, const char *prefix, const char *text, const char *name) {
  if (!call->quiet) fprintf(stderr, text, call->argv[0], prefix, name);
  optopt = 0;
  return '?';
}

static int same_effect(const struct option *a, const struct option *b) {
  return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

static void complain_ambiguous(const struct call *call, const char *prefix, size_t length) {
  if (call->quiet) return;
  fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", call->argv[0], prefix, state.next);
  for (const struct option *o = call->long_options; o->name; o++) {
    if (strncmp(o->name, state.next, length) == 0) fprintf(stderr, " '%s%s'", prefix, o->name);
  }
  fprintf(stderr, "\n");
}

// The option with the given name or unambiguous beginning. `ambiguous` is set when there are several.
static const struct option *find_long(const struct call *call, size_t length, int *ambiguous) {
  const struct option *found = NULL;
  *ambiguous = 0;
  for (const struct option *o = call->long_options; o->name; o++) {
    if (strncmp(o->name, state.next, length) != 0) continue;
    if (strlen(o->name) == length) {
      *ambiguous = 0;
      return o;
    }
    if (!found) found = o;
    else if (call->long_only || !same_effect(found, o)) *ambiguous = 1;
  }
  return found;
}

// Gives a found option its argument.
static int take_long(const struct call *call, const struct option *found, const char *prefix, const char *equals) {
  optind++;
  state.next = NULL;
  if (equals && found->has_arg == no_argument) {
    complain(call, prefix, "%s: option '%s%s' doesn't allow an argument\n", found->name);
    optopt = found->val;
    return '?';
  }
  if (equals) {
    optarg = (char *)equals + 1;
  } else if (found->has_arg == required_argument) {
    if (optind >= call->argc) {
      complain(call, prefix, "%s: option '%s%s' requires an argument\n", found->name);
      optopt = found->val;
      return call->options[0] == ':' ? ':' : '?';
    }
    optarg = call->argv[optind++];
  }
  if (call->long_index) *call->long_index = (int)(found - call->long_options);
  if (!found->flag) return found->val;
  *found->flag = found->val;
  return 0;
}

enum { NOT_LONG = -1 };

// `state.next` points to the name. NOT_LONG when it can be a group of short options.
static int long_option(const struct call *call, const char *prefix) {
  const char *equals = strchr(state.next, '=');
  size_t length = equals ? (size_t)(equals - state.next) : strlen(state.next);
  int ambiguous, result;
  const struct option *found = find_long(call, length, &ambiguous);
  if (ambiguous) {
    complain_ambiguous(call, prefix, length);
  } else if (found) {
    return take_long(call, found, prefix, equals);
  } else if (call->long_only && call->argv[optind][1] != '-' && strchr(call->options, *state.next)) {
    return NOT_LONG;
  }
  result = '?';
  if (!ambiguous) result = complain(call, prefix, "%s: unrecognized option '%s%s'\n", state.next);
  optopt = 0;
  state.next = NULL;
  optind++;
  return result;
}

// ---- Short options

static int missing_argument(const struct call *call, int letter) {
  if (!call->quiet) fprintf(stderr, "%s: option requires an argument -- '%c'\n", call->argv[0], letter);
  optopt = letter;
  return call->options[0] == ':' ? ':' : '?';
}

static int short_option(const struct call *call) {
  int letter = (unsigned char)*state.next++;
  const char *found = letter == ':' || letter == ';' ? NULL : strchr(call->options, letter);
  if (*state.next == '\0') optind++;
  if (!found) {
    if (!call->quiet) fprintf(stderr, "%s: invalid option -- '%c'\n", call->argv[0], letter);
    optopt = letter;
    return '?';
  }
  // "W;" makes -W name the long option --name.
  if (found[0] == 'W' && found[1] == ';' && call->long_options) {
    if (*state.next == '\0' && optind >= call->argc) return missing_argument(call, letter);
    if (*state.next == '\0') state.next = call->argv[optind];
    return long_option(call, "-W ");
  }
  if (found[1] != ':') return letter;
  optarg = NULL;
  if (*state.next != '\0') {
    optarg = state.next;
    optind++;
  } else if (found[2] != ':') {
    if (optind >= call->argc) {
      state.next = NULL;
      return missing_argument(call, letter);
    }
    optarg = call->argv[optind++];
  }
  state.next = NULL;
  return letter;
}

static int parse(struct call call) {
  if (call.argc < 1) return -1;
  optarg = NULL;
  if (optind == 0 || !state.initialised) initialise(call.options);
  if (*call.options == '-' || *call.options == '+') call.options++;
  call.quiet = !opterr || *call.options == ':';
  if (!state.next || *state.next == '\0') {
    int result = next_argument(&call);
    const char *argument;
    if (result != 0) return result;
    argument = call.argv[optind];
    if (call.long_options && argument[1] == '-') {
      state.next = call.argv[optind] + 2;
      return long_option(&call, "--");
    }
    state.next = call.argv[optind] + 1;
    // A single letter that is a short option stays one.
    if (call.long_options && call.long_only && (argument[2] != '\0' || !strchr(call.options, argument[1]))) {
      result = long_option(&call, "-");
      if (result != NOT_LONG) return result;
    }
  }
  return short_option(&call);
}

int getopt(int argc, char *const *argv, const char *options) {
  return parse((struct call){.argc = argc, .argv = (char **)argv, .options = options});
}

int getopt_long(int argc, char *const *argv, const char *options, const struct option *long_options, int *long_index) {
  return parse((struct call){argc, (char **)argv, options, long_options, long_index, 0, 0});
}

int getopt_long_only(int argc, char *const *argv, const char *options, const struct option *long_options,
                     int *long_index) {
  return parse((struct call){argc, (char **)argv, options, long_options, long_index, 1, 0});
}

// What getopt means in a program that asks for POSIX alone.
int __posix_getopt(int argc, char *const *argv, const char *options) {
  if (optind == 0 || !state.initialised) {
    initialise(options);
    state.ordering = REQUIRE_ORDER;
  }
  return parse((struct call){.argc = argc, .argv = (char **)argv, .options = options});
}
