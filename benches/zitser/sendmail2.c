// Sendmail 2: the full name of a user (CERT CA-96.20, CVE-1999-0131; Zitser's gecos). The full name in the password file, which
// users may change, is copied up to a comma, with the login for each `&`, into a buffer for a name; nobody compares lengths.
//
// Shown by: a gecos field of 257 characters without , ; % and &, or any for which
// (characters but &) + (number of &) * (length of the login) > 256. The login has at most 32.
//
// trial: entry=test expect=out-of-bounds at=append max-paths=30
// trial: entry=test define=FIXED expect=clean max-paths=5
#include <ctype.h>
#include <string.h>

#define MAXNAME 256
#define MAXLOGNAME 32

struct address {
  char login[MAXLOGNAME + 1];
  char *fullname;
  int is_local;
};

struct area {
  char *at, *end;
};

static void append(struct area *to, const char *s, size_t n) {
#ifdef FIXED
  if (n > (size_t)(to->end - to->at))
    n = to->end - to->at;
#endif
  memcpy(to->at, s, n); //~ append
  to->at += n;
}

// The name that a gecos field holds, with & replaced by the login with a capital.
static void buildfname(const char *gecos, const char *login, char *name, size_t size) {
  struct area to = {name, name + size - 1};
  if (*gecos == '*')
    gecos++;
  for (;;) {
    size_t n = strcspn(gecos, "&,;%");
    append(&to, gecos, n);
    gecos += n;
    if (*gecos != '&')
      break;
    char *first = to.at;
    append(&to, login, strlen(login));
    if (to.at > first)
      *first = toupper((unsigned char)*first);
    gecos++;
  }
  to.end++;
  append(&to, "", 1);
}

static int is_login(const char *login) {
  size_t n = strlen(login);
  return n > 0 && n <= MAXLOGNAME && login[0] != '-' && strpbrk(login, ":/") == NULL;
}

static int finduser(struct address *a, const char *login, const char *gecos) {
  static char nbuf[MAXNAME + 1];
  if (!is_login(login))
    return 0;
  strcpy(a->login, login);
  buildfname(gecos, login, nbuf, sizeof nbuf);
  a->fullname = nbuf;
  a->is_local = 1;
  return 1;
}

int test(const char *gecos, const char *login) {
  struct address a;
  return finduser(&a, login, gecos) && a.fullname[0] != '\0';
}
