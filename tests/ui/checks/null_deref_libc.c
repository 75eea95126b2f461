// A library function is handed a null pointer.
#include <string.h>

int main(int argc, char **argv) {
    char *s = argc > 5 ? argv[1] : 0;
    return (int)strlen(s); //~ BUG(null-deref)
}
