// Inline assembly with instructions in it cannot be run, and says so.
// unsupported: inline assembly
int main(void) {
    int x = 1;
    __asm__("addl $1, %0" : "+r"(x));
    return x;
}
