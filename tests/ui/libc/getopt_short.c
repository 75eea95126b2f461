// Short options: flags together, arguments attached and apart, unknown options, the double dash, permutation.
// args: -ab -cvalue first -c other -x --  -b last
// stderr: compare
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    opterr = 0;
    for (int c; (c = getopt(argc, argv, "abc:")) != -1;)
        switch (c) {
        case 'c': printf("c=%s\n", optarg); break;
        case '?': printf("unknown %c\n", optopt); break;
        default: printf("%c\n", c);
        }
    for (; optind < argc; optind++)
        printf("rest %s\n", argv[optind]);
    return 0;
}
