// Users and groups of the process: one user without privileges, who may go back and forth between its own three numbers.

#include "rt.h"

#include <grp.h>
#include <unistd.h>

enum { USER = 1000 };

struct identity {
  unsigned real, effective, saved;
};

static struct identity user = {USER, USER, USER}, group = {USER, USER, USER};

static const unsigned UNCHANGED = (unsigned)-1;

static int is_own(const struct identity *own, unsigned id) {
  return id == UNCHANGED || id == own->real || id == own->effective || id == own->saved;
}

static int set_all(struct identity *own, unsigned real, unsigned effective, unsigned saved) {
  if (!is_own(own, real) || !is_own(own, effective) || !is_own(own, saved)) return __rt_fail(EPERM);
  if (real != UNCHANGED) own->real = real;
  if (effective != UNCHANGED) own->effective = effective;
  if (saved != UNCHANGED) own->saved = saved;
  return 0;
}

static int set_effective(struct identity *own, unsigned id) {
  return id == UNCHANGED ? __rt_fail(EINVAL) : set_all(own, UNCHANGED, id, UNCHANGED);
}

// The saved number follows when the real one is given, or the effective one becomes another than the real.
static int set_two(struct identity *own, unsigned real, unsigned effective) {
  unsigned real_before = own->real;
  if (real != UNCHANGED && real != own->real && real != own->effective) return __rt_fail(EPERM);
  if (set_all(own, real, effective, UNCHANGED) < 0) return -1;
  if (real != UNCHANGED || (effective != UNCHANGED && effective != real_before)) own->saved = own->effective;
  return 0;
}

static int get_all(const struct identity *own, unsigned *real, unsigned *effective, unsigned *saved) {
  *real = own->real;
  *effective = own->effective;
  *saved = own->saved;
  return 0;
}

#define ONE_OF(name, value) \
  unsigned name(void) {     \
    RT_ONE_RESULT(#name);   \
    return value;           \
  }

ONE_OF(getuid, user.real)
ONE_OF(geteuid, user.effective)
ONE_OF(getgid, group.real)
ONE_OF(getegid, group.effective)

int getresuid(uid_t *real, uid_t *effective, uid_t *saved) {
  RT_ONE_RESULT("getresuid");
  return get_all(&user, real, effective, saved);
}

int getresgid(gid_t *real, gid_t *effective, gid_t *saved) {
  RT_ONE_RESULT("getresgid");
  return get_all(&group, real, effective, saved);
}

// A process with privileges could set any number.
#define NOTE_RIGHTS(name) RT_NOTE(RT_ONE_ANSWER, name, "is called without privileges in all runs")

int setuid(uid_t id) {
  NOTE_RIGHTS("setuid");
  return set_effective(&user, id);
}

int setgid(gid_t id) {
  NOTE_RIGHTS("setgid");
  return set_effective(&group, id);
}

int seteuid(uid_t id) {
  NOTE_RIGHTS("seteuid");
  return set_effective(&user, id);
}

int setegid(gid_t id) {
  NOTE_RIGHTS("setegid");
  return set_effective(&group, id);
}

int setreuid(uid_t real, uid_t effective) {
  NOTE_RIGHTS("setreuid");
  return set_two(&user, real, effective);
}

int setregid(gid_t real, gid_t effective) {
  NOTE_RIGHTS("setregid");
  return set_two(&group, real, effective);
}

int setresuid(uid_t real, uid_t effective, uid_t saved) {
  NOTE_RIGHTS("setresuid");
  return set_all(&user, real, effective, saved);
}

int setresgid(gid_t real, gid_t effective, gid_t saved) {
  NOTE_RIGHTS("setresgid");
  return set_all(&group, real, effective, saved);
}

int getgroups(int n, gid_t groups[]) {
  RT_ONE_RESULT("getgroups");
  if (n < 0) return __rt_fail(EINVAL);
  if (n > 0) groups[0] = USER;
  return 1;
}

int setgroups(size_t n, const gid_t *groups) {
  NOTE_RIGHTS("setgroups");
  (void)n;
  (void)groups;
  return __rt_fail(EPERM);
}

int initgroups(const char *name, gid_t id) {
  NOTE_RIGHTS("initgroups");
  (void)name;
  (void)id;
  return __rt_fail(EPERM);
}
