// Nobody but the outside can end this loop, which may do so: only the limit stops it.
// options: --max-steps=100000
static volatile int is_set;
int main(void) {
    while (!is_set) { //~ BUG(step-limit)
    }
    return 0;
}
