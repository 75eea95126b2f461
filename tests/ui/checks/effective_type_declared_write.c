// A variable keeps the type that it is declared with, so that the store is wrong already.
// check: effective-type
int main(void) {
    float f = 1;
    *(int *)&f = 0x40000000; //~ BUG(effective-type)
    return f == 2;
}
