// Indexes a global table with an unchecked value.
#include <stdlib.h>

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void) {
    int month = atoi("12");
    return days[month]; //~ BUG(out-of-bounds)
}
