// errno is set by failing calls, kept by succeeding ones, and is a modifiable lvalue.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    errno = 0;
    int fd = open("missing/file", O_RDONLY);
    printf("%d %d\n", fd, errno == ENOENT);
    printf("%zd %d\n", read(77, &fd, 1), errno == EBADF);
    printf("%d %d\n", close(-1), errno == EBADF);
    errno = 5;
    int n = atoi("7") + (int)labs(-3);
    printf("%d %d\n", n, errno);
    int *where = &errno;
    *where = ERANGE;
    printf("%d\n", errno == ERANGE);
    errno = 0;
    printf("%lld %d\n", (long long)lseek(9999, 0, SEEK_SET), errno == EBADF);
    return 0;
}
