// The environment. The VM fills `environ` before main; what setenv adds is never freed, since programs may keep
// pointers into it, but stays in a list, so that it is not taken for a leak.

#include "rt.h"

#include <unistd.h>

static char *nothing[1];
char **environ = nothing;

extern char **__rt_environ_alias __asm__("__environ") __attribute__((alias("environ")));
extern char **__rt_environ_alias_2 __asm__("_environ") __attribute__((alias("environ")));

// The array that `environ` points to once it had to grow.
static char **own_array;

// Texts that setenv made.
static struct own_text {
  struct own_text *next;
  char text[];
} *own_texts;

static size_t name_length(const char *name) {
  const char *equals = strchr(name, '=');
  return equals ? (size_t)(equals - name) : strlen(name);
}

// The entry of a name, or null.
static char **find(const char *name, size_t length) {
  for (char **entry = environ; entry && *entry; entry++) {
    if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return entry;
  }
  return NULL;
}

// Whether the program has set a variable itself.
static int is_own(const char *text) {
  for (struct own_text *own = own_texts; own; own = own->next) {
    if (own->text == text) return 1;
  }
  return 0;
}

char *__rt_getenv(const char *name) {
  size_t length = strlen(name);
  char **entry = find(name, length);
  return entry ? *entry + length + 1 : NULL;
}

char *getenv(const char *name) {
  char *value = __rt_getenv(name);
  if (!value || !is_own(value - strlen(name) - 1)) {
    RT_NOTE(RT_ONE_ANSWER, name, "is set in the environment of every run, or in none");
  }
  return value;
}

char *secure_getenv(const char *name) { return getenv(name); }

RT_ALIAS(__secure_getenv, secure_getenv);

static int append(char *text) {
  size_t n = 0;
  int is_own;
  char **grown;
  while (environ && environ[n]) n++;
  is_own = environ == own_array;
  grown = realloc(own_array, (n + 2) * sizeof *grown);
  if (!grown) return __rt_fail(ENOMEM);
  if (!is_own && n > 0) memcpy(grown, environ, n * sizeof *grown);
  grown[n] = text;
  grown[n + 1] = NULL;
  environ = own_array = grown;
  return 0;
}

static int replace_or_append(char *text, size_t length) {
  char **entry = find(text, length);
  if (!entry) return append(text);
  *entry = text;
  return 0;
}

static void remove_all(const char *name, size_t length) {
  char **entry;
  while ((entry = find(name, length)) != NULL) {
    do entry[0] = entry[1];
    while (*entry++);
  }
}

int setenv(const char *name, const char *value, int overwrite) {
  size_t length, value_length;
  struct own_text *own;
  if (!name || *name == '\0' || strchr(name, '=')) return __rt_fail(EINVAL);
  length = strlen(name);
  if (!overwrite && find(name, length)) return 0;
  value_length = strlen(value);
  own = malloc(sizeof *own + length + 1 + value_length + 1);
  if (!own) return __rt_fail(ENOMEM);
  own->next = own_texts;
  own_texts = own;
  memcpy(own->text, name, length);
  own->text[length] = '=';
  memcpy(own->text + length + 1, value, value_length + 1);
  return replace_or_append(own->text, length);
}

int putenv(char *text) {
  size_t length = name_length(text);
  if (text[length] == '=') return replace_or_append(text, length);
  remove_all(text, length);
  return 0;
}

int unsetenv(const char *name) {
  if (*name == '\0' || strchr(name, '=')) return __rt_fail(EINVAL);
  remove_all(name, strlen(name));
  return 0;
}

int clearenv(void) {
  environ = NULL;
  return 0;
}
