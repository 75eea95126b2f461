// The pun of many programs.
// check: effective-type
static float inverse_root(float number) {
    float half = number * 0.5f;
    int bits = *(int *)&number; //~ BUG(effective-type)
    bits = 0x5f3759df - (bits >> 1);
    number = *(float *)&bits;
    return number * (1.5f - half * number * number);
}

int main(void) {
    return inverse_root(4) > 1;
}
