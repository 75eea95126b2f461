// Names relative to an open directory, and going there; no children to wait for; messages that nobody translates.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libintl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    char path[4096], target[8] = "";
    struct stat status;
    mkdir("at", 0755);
    int directory = open("at", O_RDONLY | O_DIRECTORY);
    int file = openat(directory, "file", O_CREAT | O_WRONLY, 0644);
    printf("%d %d\n", directory >= 0, (int)write(file, "abc", 3));
    printf("%d %d\n", fstatat(directory, "file", &status, 0), (int)status.st_size);
    printf("%d %d\n", mkdirat(directory, "sub", 0755), faccessat(directory, "sub", F_OK, 0));
    printf("%d %d\n", renameat(directory, "file", directory, "other"), access("at/other", F_OK));
    printf("%d %d\n", symlink("x", "at/link"), (int)readlinkat(directory, "link", target, sizeof target));
    printf("%s %d", target, openat(file, "x", O_RDONLY));
    printf(" %d\n", errno == ENOTDIR);
    int here = open(".", O_RDONLY);
    printf("%d %s\n", fchdir(directory), strrchr(getcwd(path, sizeof path), '/'));
    printf("%d %d\n", fchdir(here), fchdir(99));
    printf("%d %d\n", unlinkat(directory, "other", 0), unlinkat(directory, "sub", AT_REMOVEDIR));
    printf("%d %d\n", unlinkat(directory, "link", 0), rmdir("at"));
    printf("%d %d\n", (int)wait(NULL), errno == ECHILD);
    printf("%d %d\n", (int)waitpid(-1, NULL, 0x10000), errno == EINVAL);
    printf("%s %s %s\n", gettext("one"), ngettext("one", "many", 2), textdomain(NULL));
    return 0;
}
