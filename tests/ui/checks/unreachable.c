// Control reaches what was promised unreachable.
static int side(char c) {
    switch (c) {
    case 'l': return 0;
    case 'r': return 1;
    }
    __builtin_unreachable(); //~ BUG(unreachable)
}

int main(void) {
    return side('l') + side('x');
}
