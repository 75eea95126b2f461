// The report shows the calls that led to the fault.
#include <stddef.h>

static int last(const int *v) {
    return *v; //~ BUG(null-deref)
}

static int middle(const int *v) {
    return last(v) + 1; //~ NOTE(middle)
}

int main(void) {
    return middle(NULL); //~ NOTE(main)
}
