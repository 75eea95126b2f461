// Writes a member of a null structure: the address is not zero, the pointer is.
struct big { char pad[400]; int x; };

static void set(struct big *b, int x) {
    b->x = x; //~ BUG(null-deref)
}

int main(void) {
    struct big b;
    set(&b, 1);
    set(0, 2); //~ NOTE(main)
    return 0;
}
