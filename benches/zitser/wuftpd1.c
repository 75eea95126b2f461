// WU-FTPD 1: mapping_chdir (CERT CA-99-13, CVE-1999-0878; Zitser's mapped-path; figure 4.9). The server keeps the path it is in as
// text. The argument of CWD is copied into a buffer for a path, then taken apart and appended to that text, all without a
// look at lengths.
//
// Shown by: "CWD " and 4096 characters (`copied`); "CWD " and 4095 characters other than `/` that are no `.` or `..`, which fit there but
// not behind the "/" of the mapped path (`element`). With several commands the text grows to its end (`slash`, `element`).
//
// trial: entry=test expect=out-of-bounds at=copied max-paths=20
// trial: entry=test define=FIXED expect=clean max-paths=10
// As a program: lines of stdin, such as lines:3x8190; then at=slash too (4094 letters, then any other directory).
#include <stdio.h>
#include <string.h>

#define MAXPATHLEN 4096

static char pathspace[MAXPATHLEN];
static char old_mapped_path[MAXPATHLEN];
static char mapped_path[MAXPATHLEN] = "/";

// One element of a path. Returns 0 if the result would be too long.
static int do_elem(const char *dir) {
  if (dir[0] == '\0' || strcmp(dir, ".") == 0)
    return 1;
  if (strcmp(dir, "..") == 0) {
    char *last = strrchr(mapped_path, '/');
    if (last == mapped_path)
      last++; // the root stays
    *last = '\0';
    return 1;
  }
#ifdef FIXED
  if (strlen(mapped_path) + 1 + strlen(dir) >= sizeof mapped_path)
    return 0;
#endif
  if (strcmp(mapped_path, "/") != 0)
    strcat(mapped_path, "/"); //~ slash
  strcat(mapped_path, dir); //~ element
  return 1;
}

static int mapping_chdir(const char *orig_path) {
  char *path = pathspace;
  int ok = 1;
#ifdef FIXED
  if (strlen(orig_path) >= sizeof pathspace)
    return 0;
#endif
  strcpy(old_mapped_path, mapped_path);
  strcpy(path, orig_path); //~ copied
  if (path[0] == '/')
    strcpy(mapped_path, "/");
  while (ok && *path != '\0') {
    char *dir = path, *slash = strchr(path, '/');
    if (slash != NULL) {
      *slash = '\0';
      path = slash + 1;
    } else
      path += strlen(path);
    ok = do_elem(dir);
  }
  if (!ok)
    strcpy(mapped_path, old_mapped_path);
  return ok;
}

// One command; the answer is its code.
static int command(char *line) {
  line[strcspn(line, "\r\n")] = '\0';
  if (strncmp(line, "CWD ", 4) == 0)
    return mapping_chdir(line + 4) ? 250 : 550;
  if (strcmp(line, "CDUP") == 0)
    return mapping_chdir("..") ? 250 : 550;
  if (strcmp(line, "PWD") == 0)
    return 257;
  return strcmp(line, "QUIT") == 0 ? 221 : 500;
}

int test(char *line) { return command(line); }

int main(void) {
  char cbuf[2 * MAXPATHLEN];
  int code = 220;
  while (code != 221 && fgets(cbuf, sizeof cbuf, stdin) != NULL)
    code = command(cbuf);
  return 0;
}
