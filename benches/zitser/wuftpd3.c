// WU-FTPD 3: realpath (CERT CA-1999-03, CVE-1999-0368; Zitser's palmetto). The elements of a path are appended one by one to the
// directory that they are in, without a look at the length.
//
// Shown by: a current directory of d characters and a relative path of n, d + 1 + n >= 1024 (d not the root, no "." or "..");
// d = 1023 shows it where the "/" is appended (`slash`), less where the element is (`element`). A path that begins with "/"
// fits, unless it goes through a link: "/pub/" and 1011 letters or more, up to 1018.
//
// trial: entry=test expect=out-of-bounds at=slash max-paths=10
// trial: entry=test expect=out-of-bounds at=element max-paths=10
// trial: entry=test define=FIXED expect=clean max-paths=8
#include <string.h>

#define MAXPATHLEN 1024

// Links of this server, to places without links.
static const struct link {
  const char *from, *to;
} links[] = {{"/pub", "/var/ftp/pub"}, {"/etc/passwd", "/home/ftp/etc/passwd"}};

static const char *read_link(const char *path) {
  for (unsigned i = 0; i < sizeof links / sizeof links[0]; i++)
    if (strcmp(path, links[i].from) == 0)
      return links[i].to;
  return NULL;
}

// Leaves the last element out, but not the root.
static void to_parent(char *path) {
  char *last = strrchr(path, '/');
  if (last != NULL)
    *last = '\0';
}

static char *real_path(const char *pathname, const char *cwd, char *result) {
  char curpath[MAXPATHLEN], workpath[MAXPATHLEN], namebuf[MAXPATHLEN];
  if (strlen(pathname) >= sizeof curpath || strlen(cwd) >= sizeof workpath)
    return NULL;
  strcpy(curpath, pathname);
  if (*pathname == '/' || strcmp(cwd, "/") == 0)
    workpath[0] = '\0'; // the root is empty, so that each element has its "/"
  else
    strcpy(workpath, cwd);

  char *where = curpath;
  while (*where != '\0') {
    char *element = where, *end = strchr(where, '/');
    if (end != NULL) {
      *end = '\0';
      where = end + 1;
    } else
      where += strlen(where);

    if (*element == '\0' || strcmp(element, ".") == 0)
      continue;
    if (strcmp(element, "..") == 0) {
      to_parent(workpath);
      continue;
    }
#ifdef FIXED
    if (strlen(workpath) + 1 + strlen(element) >= sizeof namebuf)
      return NULL;
#endif
    strcpy(namebuf, workpath);
    strcat(namebuf, "/"); //~ slash
    strcat(namebuf, element); //~ element
    const char *target = read_link(namebuf);
    strcpy(workpath, target != NULL ? target : namebuf);
  }
  strcpy(result, workpath[0] != '\0' ? workpath : "/");
  return result;
}

int test(const char *cwd, const char *pathname) {
  char result[MAXPATHLEN];
  if (cwd[0] != '/' || real_path(pathname, cwd, result) == NULL)
    return -1;
  return result[0] == '/';
}
