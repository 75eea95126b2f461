// WU-FTPD 2: fb_realpath (CVE-2003-0466; Zitser's realpath; figure 4.2). A path is resolved into the directory it is in and its last part,
// which are put together again with a "/" unless the directory is the root. The sum of lengths takes the "/" into
// account when the directory is the root, instead of when it is not.
//
// Shown by: a current directory of d characters other than "/" and a name without "/" of n > 0 characters, d + n = 1023: with
// "/" and NUL that are 1025 bytes for 1024. Or a path with "/" in it that leads to such a directory.
//
// trial: entry=test expect=out-of-bounds at=name max-paths=12
// trial: entry=test define=FIXED expect=clean max-paths=10
#include <string.h>

#define MAXPATHLEN 1024

static char current[MAXPATHLEN]; // where the server is
static char saved[MAXPATHLEN];

// A path is absolute, or begins where we are.
static int change_dir(const char *path) {
  if (path[0] == '/') {
    if (strlen(path) >= sizeof current)
      return 0;
    strcpy(current, path);
    return 1;
  }
  size_t n = strlen(current);
  if (n + 1 + strlen(path) >= sizeof current)
    return 0;
  if (n != 1) // not the root
    strcat(current, "/");
  strcat(current, path);
  return 1;
}

// Writes the absolute form of a path to resolved, which has MAXPATHLEN bytes.
static char *fb_realpath(const char *path, char *resolved) {
  char wbuf[MAXPATHLEN], *p, *q;
  int rootd;

  strcpy(saved, current);
  strncpy(resolved, path, MAXPATHLEN - 1);
  resolved[MAXPATHLEN - 1] = '\0';

  // Find the directory and the name; change to the directory.
  q = strrchr(resolved, '/');
  if (q != NULL) {
    p = q + 1;
    while (q > resolved && q[-1] == '/')
      q--;
    if (q == resolved) {
      if (!change_dir("/"))
        goto failed;
    } else {
      *q = '\0';
      if (!change_dir(resolved))
        goto failed;
    }
  } else
    p = resolved;

  // Keep the name, and ask where we are now.
  strcpy(wbuf, p);
  strcpy(resolved, current);

  // Join the two, whether the name is empty or the directory the root.
  rootd = resolved[0] == '/' && resolved[1] == '\0';
  if (*wbuf != '\0') {
#ifdef FIXED
    if (strlen(resolved) + strlen(wbuf) + !rootd + 1 > MAXPATHLEN)
#else
    if (strlen(resolved) + strlen(wbuf) + rootd + 1 > MAXPATHLEN)
#endif
      goto failed;
    if (rootd == 0)
      strcat(resolved, "/");
    strcat(resolved, wbuf); //~ name
  }
  strcpy(current, saved);
  return resolved;

failed:
  strcpy(current, saved);
  return NULL;
}

int test(const char *directory, const char *path) {
  char resolved[MAXPATHLEN];
  if (directory[0] != '/' || strlen(directory) >= sizeof current || path[0] == '\0')
    return -1;
  strcpy(current, directory);
  return fb_realpath(path, resolved) != NULL;
}
