// Texts by way of an argument or a file.
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc > 1)
    return argv[1][0] == '[' && argv[1][1] == '7';
  FILE *file = fopen("in.txt", "r");
  if (!file)
    return 3;
  int n = 0;
  for (int c; (c = fgetc(file)) != EOF;) {
    n += c == '7';
    if (c == 'x')
      return 4;
  }
  return n > 2;
}
