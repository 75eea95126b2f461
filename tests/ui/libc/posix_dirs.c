// mkdir, chdir, getcwd's last part, rmdir, opendir and readdir over a known directory, isatty, sysconf.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

int main(void) {
    char path[4096], names[10][32];
    int n = 0;
    printf("%d %d", mkdir("sub", 0755), mkdir("sub", 0755));
    printf(" %d %d\n", errno == EEXIST, chdir("sub"));
    const char *last = strrchr(getcwd(path, sizeof path), '/');
    puts(last);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "file%d", i);
        FILE *f = fopen(path, "w");
        fputs(path, f);
        fclose(f);
    }
    DIR *d = opendir(".");
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.')
            snprintf(names[n++], sizeof names[0], "%s", e->d_name);
    closedir(d);
    qsort(names, (size_t)n, sizeof names[0], by_name);
    for (int i = 0; i < n; i++) {
        struct stat st;
        printf("%s %d %lld\n", names[i], stat(names[i], &st), (long long)st.st_size);
        unlink(names[i]);
    }
    printf("%d %d %d\n", chdir(".."), rmdir("sub"), opendir("sub") == NULL);
    printf("%d %d\n", isatty(0), sysconf(_SC_PAGESIZE) == 4096);
    return 0;
}
