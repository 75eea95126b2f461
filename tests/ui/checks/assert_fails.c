// An assertion about an index.
#include <assert.h>

static int get(const int *v, int n, int i) {
    assert(i >= 0 && i < n); //~ BUG(assert)
    return v[i];
}

int main(void) {
    int v[3] = {1, 2, 3};
    return get(v, 3, 2) + get(v, 3, 3); //~ NOTE(main)
}
