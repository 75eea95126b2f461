struct list { struct list *next; };
int list_len(const struct list *l);
void list_trace(const struct list *l);
int list_limit(int n);
int add(int a, int b);
int add_hook(int a, int b);
extern int (*hook)(int, int);
void log_line(const char *what, int n);
