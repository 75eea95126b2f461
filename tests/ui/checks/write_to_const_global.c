// Writes a const global through a pointer that lost its qualifier.
static const int limits[3] = {1, 2, 3};

int main(void) {
    int *p = (int *)&limits[1];
    *p = 5; //~ BUG(write-to-constant)
    return 0;
}
