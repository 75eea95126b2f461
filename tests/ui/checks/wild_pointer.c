// An integer that was never an address.
int main(void) {
    unsigned long address = 0x123456789abc;
    return *(int *)address; //~ BUG(wild-pointer)
}
