// A product of two longs.
// check: signed-overflow
int main(void) {
    long side = 4000000000;
    return side * side == 0; //~ BUG(signed-overflow)
}
