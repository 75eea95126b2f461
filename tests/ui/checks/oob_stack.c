// Off by one in a stack array.
int main(void) {
    int v[8], other[8] = {0};
    for (int i = 0; i <= 8; i++)
        v[i] = i; //~ BUG(out-of-bounds)
    return v[0] + other[0];
}
