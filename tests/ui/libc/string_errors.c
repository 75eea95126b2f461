// strerror and strsignal for well-known numbers, perror to stderr.
// stderr: compare
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    const int v[] = {0, EPERM, ENOENT, EINTR, EIO, EBADF, EAGAIN, ENOMEM, EACCES, EEXIST, ENOTDIR, EISDIR, EINVAL, EMFILE, ENOSPC, ESPIPE, EPIPE, EDOM, ERANGE, ENAMETOOLONG, ENOSYS, ENOTEMPTY, EILSEQ, EOVERFLOW, ETIMEDOUT};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        printf("%d %s\n", v[i], strerror(v[i]));
    errno = ENOENT;
    perror("prefix");
    errno = EINVAL;
    perror(NULL);
    return 0;
}
