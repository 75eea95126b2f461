// A loop that comes back to a state that it was in never ends, however many steps its circle has.
static const int next[] = {3, 0, 4, 2, 1};
static unsigned step(unsigned at) { return (unsigned)next[at]; }
int main(void) {
    unsigned at = 0;
    while (at != 5) //~ BUG(endless-loop)
        at = step(at);
    return 0;
}
