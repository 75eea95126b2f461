// A function that nobody defines is named when it is called.
// unsupported: mystery
int mystery(int);

int main(void) {
    return mystery(3);
}
