// A function from before prototypes gets less than it takes.
// cflags: -std=gnu89 -w
long sum(a, b) long a, b; { return a + b; }
long (*chosen)();

int main() {
    chosen = sum;
    return chosen(1L) == 2; //~ BUG(bad-call)
}
