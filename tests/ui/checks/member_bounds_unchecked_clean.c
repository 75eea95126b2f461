// Without the check, an object is one piece of memory: programs reach one member through another.
// configs: O0,clang16-O0
struct record {
    char name[4];
    int flag;
};

__attribute__((no_sanitize("undefined"))) int main(void) {
    struct record r = {"abc", 7};
    volatile int four = 4;
    return r.name[four] == 7 ? 0 : 1;
}
