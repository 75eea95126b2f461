// A loop stops at the limit that the user set. It counts, so nobody can tell that it has no end.
// options: --max-steps=100000
int main(void) {
    for (unsigned long n = 0;; n++) { //~ BUG(step-limit)
    }
}
