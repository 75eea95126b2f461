int last_of(const int *v, int n) {
    return v[n]; //~ BUG(out-of-bounds)
}
