// Translations, of which there are none: every message is its own.

#include "rt.h"

#include <libintl.h>

#undef gettext
#undef dgettext
#undef dcgettext
#undef ngettext
#undef dngettext
#undef dcngettext

char *gettext(const char *message) { return (char *)message; }

char *dgettext(const char *domain, const char *message) {
  (void)domain;
  return (char *)message;
}

char *dcgettext(const char *domain, const char *message, int category) {
  (void)domain;
  (void)category;
  return (char *)message;
}

static char *choose(const char *one, const char *many, unsigned long n) { return (char *)(n == 1 ? one : many); }

char *ngettext(const char *one, const char *many, unsigned long n) { return choose(one, many, n); }

char *dngettext(const char *domain, const char *one, const char *many, unsigned long n) {
  (void)domain;
  return choose(one, many, n);
}

char *dcngettext(const char *domain, const char *one, const char *many, unsigned long n, int category) {
  (void)domain;
  (void)category;
  return choose(one, many, n);
}

// The domain in use, and where its messages would be.
static char *domain;

char *textdomain(const char *name) {
  char *copy;
  if (!name) return domain ? domain : "messages";
  copy = strdup(name[0] ? name : "messages");
  if (!copy) return NULL;
  free(domain);
  return domain = copy;
}

char *bindtextdomain(const char *name, const char *directory) {
  if (!name || !name[0]) return NULL;
  return directory ? (char *)directory : "/usr/share/locale";
}

char *bind_textdomain_codeset(const char *name, const char *codeset) {
  return name && name[0] ? (char *)codeset : NULL;
}
