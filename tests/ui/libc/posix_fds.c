// open, read, write, lseek, close, dup, pipe, ftruncate, unlink, fstat on files made here.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    char buf[32] = "";
    int fd = open("f.bin", O_CREAT | O_RDWR | O_TRUNC, 0644);
    printf("%zd\n", write(fd, "hello world", 11));
    printf("%lld\n", (long long)lseek(fd, 6, SEEK_SET));
    printf("%zd %s\n", read(fd, buf, 31), buf);
    printf("%zd %lld %lld\n", read(fd, buf, 31), (long long)lseek(fd, 0, SEEK_CUR), (long long)lseek(fd, -5, SEEK_END));
    int twin = dup(fd);
    printf("%zd\n", write(twin, "W", 1));
    printf("%zd %.4s\n", read(fd, buf, 4), buf);
    printf("%zd %.5s\n", pread(fd, buf, 5, 0), buf);
    printf("%zd\n", pwrite(fd, "J", 1, 0));
    struct stat st;
    printf("%d %lld %d\n", fstat(fd, &st), (long long)st.st_size, S_ISREG(st.st_mode));
    printf("%d %d\n", ftruncate(fd, 5), fstat(fd, &st));
    printf("%lld\n", (long long)st.st_size);
    close(twin);
    printf("%d %d\n", close(fd), close(fd));
    fd = open("f.bin", O_WRONLY | O_APPEND);
    printf("%zd\n", write(fd, "++", 2));
    close(fd);
    fd = open("f.bin", O_RDONLY);
    memset(buf, 0, sizeof buf);
    printf("%zd %s %zd\n", read(fd, buf, 31), buf, write(fd, "x", 1));
    close(fd);
    printf("%d %d\n", open("f.bin", O_CREAT | O_EXCL | O_RDWR, 0600), stat("f.bin", &st));
    printf("%d %d %d\n", unlink("f.bin"), unlink("f.bin"), stat("f.bin", &st));
    int p[2];
    printf("%d\n", pipe(p));
    printf("%zd\n", write(p[1], "through", 7));
    close(p[1]);
    memset(buf, 0, sizeof buf);
    printf("%zd %s %zd\n", read(p[0], buf, 31), buf, read(p[0], buf, 31));
    close(p[0]);
    return 0;
}
