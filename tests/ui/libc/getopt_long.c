// getopt_long: full and abbreviated names, = and separate values, flags stored through a pointer.
// args: --verbose --output=file -o two --lev 3 operand --no-colour --bogus
#include <getopt.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int colour = 1, idx;
    const struct option options[] = {{"verbose", no_argument, NULL, 'v'}, {"output", required_argument, NULL, 'o'}, {"level", optional_argument, NULL, 'l'}, {"no-colour", no_argument, &colour, 0}, {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "vo:", options, &idx)) != -1;)
        printf("%d %s\n", c, optarg ? optarg : "-");
    printf("%d", colour);
    for (; optind < argc; optind++)
        printf(" %s", argv[optind]);
    putchar('\n');
    return 0;
}
