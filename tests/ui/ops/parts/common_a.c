int counter;
int initialised_there = 77;
int array[8];
int bump(void) {
    array[7] = 1;
    array[0] = array[1] + array[7];
    return counter++;
}
