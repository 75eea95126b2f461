// A program that is given arguments, standard input and a file.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char line[8] = "";
  FILE *file = fopen("A", "r");
  if (argc > 2 && !strcmp(argv[2], "go"))
    return 3;
  if (fgets(line, sizeof line, stdin) && line[0] == 'x')
    return 4;
  if (file && fgetc(file) == 'y')
    return 5;
  int scale[4] = {1, 2, 3, 4};
  if (line[0] == '7')
    return scale[line[0] - '0'];
}
