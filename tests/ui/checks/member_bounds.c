// An index that leaves a member of a structure, and stays in the structure.
// check: member-bounds
struct record {
    char name[4];
    int flag;
};

static char last(const struct record *r, int n) {
    return r->name[n]; //~ BUG(member-bounds)
}

int main(void) {
    struct record r = {"abc", 7};
    return last(&r, 3) + last(&r, 4);
}
