// Calls through a hook that was never installed.
static int (*hook)(int);

int main(void) {
    return hook(3); //~ BUG(bad-call)
}
