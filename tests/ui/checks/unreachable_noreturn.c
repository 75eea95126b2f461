// A function declared not to return does.
_Noreturn static void fail(int code) {
    if (code)
        __builtin_trap();
}

int main(void) {
    fail(0); //~ BUG(unreachable)
}
