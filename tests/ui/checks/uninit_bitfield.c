// One bit-field of a word is set, another is tested.
struct bits { unsigned ready : 1, error : 1; };

int main(void) {
    struct bits b;
    b.ready = 1;
    if (!b.ready)
        return 3;
    if (b.error) //~ BUG(uninitialised)
        return 2;
    return 0;
}
