// Averages nothing.
static int average(const int *v, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum / n; //~ BUG(div-by-zero)
}

int main(void) {
    int v[2] = {1, 2};
    return average(v, 2) + average(v, 0);
}
