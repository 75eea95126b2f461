/* Functions whose parameters belong together; behind each is what is guessed of it, or that nothing is. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int sum(const int *a, int n) //~ a=array:n
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] > 0;
  return s;
}

int count_down(const unsigned char *p, size_t left) //~ p=array:left
{
  int s = 0;
  while (left--)
    s += *p++ == 7;
  return s;
}

int to_the_end(const char *s, size_t n) //~ s=array:n
{
  const char *end = s + n;
  int k = 0;
  while (s < end)
    k += *s++ == ' ';
  return k;
}

/* Through a call, and through the library. */
int sum_all(const int *values, int how_many) //~ values=array:how_many
{
  return sum(values, how_many);
}

int same(const void *a, const void *b, size_t n) //~ a=bytes:n b=bytes:n
{
  return memcmp(a, b, n) == 0;
}

/* A common name, behind a pointer with an index that is computed. */
int first_not_less(const int *a, int n, int x) //~ a=array:n
{
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (a[mid] < x)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* The same name, and no index. */
void add_to(int *p, int n) //~
{
  *p += n;
}

/* By name alone: what it does with them is elsewhere. */
int consume(const char *p, size_t k);
int feed(const char *buf, size_t buf_len) //~ buf=array:buf_len
{
  return consume(buf, buf_len);
}

struct vec { int *items; size_t used, capacity; };

int vec_push(struct vec *v, int x) //~ struct vec.items=array:capacity
{
  if (v->used < v->capacity) {
    v->items[v->used++] = x;
    return 1;
  }
  return 0;
}

int make(int kind, const char **out) //~ out=nonnull
{
  *out = kind ? "a" : "b";
  return kind;
}

/* An index is not how many there are. */
int get(const int *a, int i) //~
{
  return a[i];
}

int kept(const int *a, int i) //~
{
  const int *at = a + i;
  return *at;
}

/* A number that follows a pointer to a structure is only a number. */
struct node { struct node *next; };
int nth(struct node *l, int n) //~
{
  while (l && n-- > 0)
    l = l->next;
  return l != 0;
}

/* Two numbers come into question. */
int both(const int *a, int n, int m) //~
{
  int s = 0;
  for (int i = 0; i < n && i < m; i++)
    s += a[i];
  return s;
}

/* A string, whatever the number is. */
int at_most(const char *s, size_t size) //~
{
  return strlen(s) < size;
}

/* Null is asked for. */
int maybe(const char **out) //~
{
  if (out)
    *out = "x";
  return 0;
}

/* The end of what another leads to: compared with it, or by name where it is handed on. */
int blanks(const char *p, const char *end) //~ end=end:p
{
  int n = 0;
  while (p < end)
    n += *p++ == ' ';
  return n;
}

int blanks_in(const char *text, const char *text_end) //~ text_end=end:text
{
  return blanks(text, text_end);
}

const int *largest(const int *first, const int *limit) //~ limit=end:first
{
  const int *found = first;
  for (const int *i = first; i != limit; i++)
    if (*i > *found)
      found = i;
  return found;
}

size_t room_left(char *at, char *end) //~ end=end:at
{
  return end - at;
}

/* The last element is no end, and neither is what is looked at. */
int between(const int *first, const int *last) //~
{
  int n = 0;
  while (first <= last)
    n += *first++;
  return n;
}

int from_end(const char *p, const char *end) //~
{
  return end > p && end[-1] == '\n';
}

/* A number behind a pointer. */
int sum_behind(const int *a, const int *n) //~ a=array:*n
{
  int s = 0;
  for (int i = 0; i < *n; i++)
    s += a[i] > 0;
  return s;
}

int produce(char *p, size_t k);
int fill(char *out, size_t *out_len) //~ out=array:*out_len
{
  int done = produce(out, *out_len);
  *out_len = done;
  return done;
}

/* Only a result. */
int told(const char *s, size_t *len) //~
{
  *len = strlen(s);
  return *s;
}

/* Room for a text, as the library takes it, and by name where it is passed on in a structure. */
int describe(int code, char *to, size_t room) //~ to=array:room
{
  return snprintf(to, room, "code %d", code);
}

struct context { char *errbuf; int errbufsz; };
int run_with(struct context *c);
int parse(int code, char *errbuf, int errbufsz) //~ errbuf=array:errbufsz
{
  struct context c = {errbuf, errbufsz};
  return run_with(&c) + code;
}

/* What comes after the last one is an end. */
int dissect(const char *first, const char *afterLast) //~ afterLast=end:first
{
  int n = 0;
  for (; first < afterLast; first++)
    n += *first == '&';
  return n;
}

/* Written before it is read, here and in what is called. */
static void count_slashes(const char *path, size_t *length)
{
  *length = 0;
  while (path[*length] == '/')
    ++*length;
}

void root(const char *path, size_t *length) //~
{
  if (*path == '/')
    count_slashes(path, length);
  else
    *length = 0;
}

int collect(const int *a, int *n) //~
{
  *n = 0;
  for (int i = 0; i < *n; i++)
    if (a[i])
      ++*n;
  return *n;
}

/* Members by name: nothing that is seen here counts. */
struct blob { unsigned char *data; size_t len; char *name; int id; };
int blob_feed(struct blob *b) //~ struct blob.data=array:len
{
  return consume((char *)b->data, b->len) + (int)strlen(b->name);
}

/* More than the type says: used as a structure, or as part of one. */
typedef struct { int key, value; } pair;
int by_key(const void *a, const void *b) //~ a=pair b=pair
{
  const pair *left = a, *right = b;
  return left->key - right->key;
}

struct hook { struct hook *next; };
struct timer { long when; struct hook hook; };
long due(struct hook *h) //~ h=struct timer.hook
{
  return ((struct timer *)((char *)h - offsetof(struct timer, hook)))->when;
}

/* Cast to what it is part of, which says nothing of other objects. */
struct hook *hook_of(struct timer *t) //~
{
  struct hook *h = &t->hook;
  return h->next;
}

/* Either, which have pointers elsewhere. */
struct text { char *start; long n; };
struct number { long n; char *unit; };
long either(void *value, int is_text) //~
{
  return is_text ? ((struct text *)value)->n : ((struct number *)value)->n;
}

/* A number that is called after a pointer is its own, whatever else an index is compared with. */
size_t to_hex(void *dest, size_t dest_size, const void *src, size_t src_size) //~ dest=bytes:dest_size src=bytes:src_size
{
  char *d = dest;
  const unsigned char *s = src;
  size_t n = 0;
  while (src_size) {
    if (dest_size > n)
      *d++ = "0123456789abcdef"[*s & 15];
    n++;
    src_size--;
    s++;
  }
  return n;
}

/* How much is added says nothing of the room that there is. */
int append_to(char *buf, size_t cap, size_t *len, const char *s, size_t n) //~ buf=array:cap s=array:n
{
  if (n > cap - *len)
    return -1;
  memcpy(buf + *len, s, n);
  *len += n;
  return 0;
}
