// Users and groups of the machine: two that every machine has, and the one whom programs are run by, of whom nobody knows the
// name beforehand.

#include "rt.h"

#include <grp.h>
#include <pwd.h>

#define NOTE_USERS(name) RT_NOTE(RT_ONE_ANSWER, name, "knows the users root and nobody in all runs")
#define NOTE_GROUPS(name) RT_NOTE(RT_ONE_ANSWER, name, "knows the groups root and nogroup in all runs")

static const struct {
  const char *name, *group;
  unsigned id;
  const char *description, *home, *shell;
} known[] = {
    {"root", "root", 0, "root", "/root", "/bin/bash"},
    {"nobody", "nogroup", 65534, "nobody", "/nonexistent", "/usr/sbin/nologin"},
    {"user", "user", 1000, "", "/home/user", "/bin/sh"},
};

enum { N_KNOWN = sizeof known / sizeof known[0], N_NAMED = N_KNOWN - 1 };

// Copies a text into what is left of a buffer; null if that is too little.
static char *keep(const char *text, char **buf, size_t *left) {
  size_t n = strlen(text) + 1;
  char *kept = *buf;
  if (n > *left) return NULL;
  *buf += n;
  *left -= n;
  return memcpy(kept, text, n);
}

static int fill_user(int i, struct passwd *out, char *buf, size_t n) {
  out->pw_uid = out->pw_gid = known[i].id;
  out->pw_name = keep(known[i].name, &buf, &n);
  out->pw_passwd = keep("x", &buf, &n);
  out->pw_gecos = keep(known[i].description, &buf, &n);
  out->pw_dir = keep(known[i].home, &buf, &n);
  out->pw_shell = keep(known[i].shell, &buf, &n);
  return out->pw_name && out->pw_passwd && out->pw_gecos && out->pw_dir && out->pw_shell ? 0 : ERANGE;
}

static int fill_group(int i, struct group *out, char *buf, size_t n) {
  char **members = (char **)(((uintptr_t)buf + 7) & ~(uintptr_t)7);
  size_t used = (size_t)((char *)(members + 1) - buf);
  if (used > n) return ERANGE;
  *members = NULL;
  buf += used;
  n -= used;
  out->gr_gid = known[i].id;
  out->gr_mem = members;
  out->gr_name = keep(known[i].group, &buf, &n);
  out->gr_passwd = keep("x", &buf, &n);
  return out->gr_name && out->gr_passwd ? 0 : ERANGE;
}

static int find_id(unsigned id) {
  for (int i = 0; i < N_KNOWN; i++) {
    if (known[i].id == id) return i;
  }
  return -1;
}

static int find_user(const char *name) {
  for (int i = 0; i < N_NAMED; i++) {
    if (strcmp(known[i].name, name) == 0) return i;
  }
  return -1;
}

static int find_group(const char *name) {
  for (int i = 0; i < N_NAMED; i++) {
    if (strcmp(known[i].group, name) == 0) return i;
  }
  return -1;
}

// ---- Users

static struct passwd shared_user;
static char user_text[128];
static int next_user;

static int user_into(int i, struct passwd *out, char *buf, size_t n, struct passwd **result) {
  int error;
  *result = NULL;
  if (i < 0) return 0;
  error = fill_user(i, out, buf, n);
  if (!error) *result = out;
  return error;
}

static struct passwd *user_at(int i) {
  struct passwd *result;
  user_into(i, &shared_user, user_text, sizeof user_text, &result);
  return result;
}

struct passwd *getpwnam(const char *name) {
  NOTE_USERS("getpwnam");
  return user_at(find_user(name));
}

struct passwd *getpwuid(uid_t id) {
  NOTE_USERS("getpwuid");
  return user_at(find_id(id));
}

int getpwnam_r(const char *restrict name, struct passwd *restrict out, char *restrict buf, size_t n,
               struct passwd **restrict result) {
  NOTE_USERS("getpwnam_r");
  return user_into(find_user(name), out, buf, n, result);
}

int getpwuid_r(uid_t id, struct passwd *restrict out, char *restrict buf, size_t n, struct passwd **restrict result) {
  NOTE_USERS("getpwuid_r");
  return user_into(find_id(id), out, buf, n, result);
}

struct passwd *getpwent(void) {
  NOTE_USERS("getpwent");
  return next_user < N_KNOWN ? user_at(next_user++) : NULL;
}

int getpwent_r(struct passwd *restrict out, char *restrict buf, size_t n, struct passwd **restrict result) {
  int error;
  NOTE_USERS("getpwent_r");
  *result = NULL;
  if (next_user == N_KNOWN) return ENOENT;
  error = user_into(next_user, out, buf, n, result);
  if (!error) next_user++;
  return error;
}

void setpwent(void) { next_user = 0; }
void endpwent(void) { next_user = 0; }

// ---- Groups

static struct group shared_group;
static char group_text[64] __attribute__((aligned(8)));
static int next_group;

static int group_into(int i, struct group *out, char *buf, size_t n, struct group **result) {
  int error;
  *result = NULL;
  if (i < 0) return 0;
  error = fill_group(i, out, buf, n);
  if (!error) *result = out;
  return error;
}

static struct group *group_at(int i) {
  struct group *result;
  group_into(i, &shared_group, group_text, sizeof group_text, &result);
  return result;
}

struct group *getgrnam(const char *name) {
  NOTE_GROUPS("getgrnam");
  return group_at(find_group(name));
}

struct group *getgrgid(gid_t id) {
  NOTE_GROUPS("getgrgid");
  return group_at(find_id(id));
}

int getgrnam_r(const char *restrict name, struct group *restrict out, char *restrict buf, size_t n,
               struct group **restrict result) {
  NOTE_GROUPS("getgrnam_r");
  return group_into(find_group(name), out, buf, n, result);
}

int getgrgid_r(gid_t id, struct group *restrict out, char *restrict buf, size_t n, struct group **restrict result) {
  NOTE_GROUPS("getgrgid_r");
  return group_into(find_id(id), out, buf, n, result);
}

struct group *getgrent(void) {
  NOTE_GROUPS("getgrent");
  return next_group < N_KNOWN ? group_at(next_group++) : NULL;
}

void setgrent(void) { next_group = 0; }
void endgrent(void) { next_group = 0; }

int getgrouplist(const char *user, gid_t group, gid_t *groups, int *n) {
  int room = *n;
  (void)user;
  NOTE_GROUPS("getgrouplist");
  *n = 1;
  if (room < 1) return -1;
  groups[0] = group;
  return 1;
}
