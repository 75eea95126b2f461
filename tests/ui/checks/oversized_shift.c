// Shifts by the width of the type.
static unsigned mask(int bits) {
    return (1u << bits) - 1; //~ BUG(oversized-shift)
}

int main(void) {
    return mask(8) == 255 ? mask(32) != 0 : 1;
}
