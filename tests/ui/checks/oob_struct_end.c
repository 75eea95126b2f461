// Overflows the last member of a structure, past the object's end.
struct record { int id; char name[12]; };

int main(void) {
    struct record r = {1, "abc"};
    const char *s = "a name that is too long";
    for (int i = 0; s[i]; i++)
        r.name[i] = s[i]; //~ BUG(out-of-bounds)
    return r.id;
}
