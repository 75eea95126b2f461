// Calls the address of data.
static char code[16] = {(char)0xc3};

int main(void) {
    void (*f)(void) = (void (*)(void))(void *)code;
    f(); //~ BUG(bad-call)
    return 0;
}
