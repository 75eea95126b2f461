// write sends bytes that have no value to a descriptor.
#include <unistd.h>

int main(void) {
    char header[4];
    header[0] = 'H';
    return write(1, header, sizeof header) != 4; //~ BUG(uninitialised)
}
