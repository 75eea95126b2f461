struct item { const char *name; int n; };
extern int shared, a_table[];
extern const char *const b_name;
int a_step(void);
int b_step(void);
struct item make_item(const char *name, int n);
static inline int twice(int x) { return x * 2; }
