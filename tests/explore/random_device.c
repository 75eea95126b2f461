// What a device of random bytes gives is input, through descriptors and streams, in the order in which it is read.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  unsigned char first, second[2];
  struct stat status;
  int fd = open("/dev/urandom", O_RDONLY);
  FILE *stream = fopen("/dev/random", "rb");
  assert(fd >= 0 && stream && fstat(fd, &status) == 0 && S_ISCHR(status.st_mode));
  assert(fread(second, 1, 2, stream) == 2 && read(fd, &first, 1) == 1);
  if (second[1] == 'r' && first == 'd')
    assert(getc(stream) != 'm'); //~ BUG(assert)
  fclose(stream);
  close(fd);
  return 0;
}
