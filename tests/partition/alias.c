// Whether two pointers lead to the same says what is found there from then on, also where no condition asks for it again.
// paths: 6
// options: --entry test
struct s {
  int flag;
};
int n, m;
int test(struct s *p, struct s *q, int b) {
  int y = 0;
  if (!p || !q)
    return 0;
  p->flag = 0;
  q->flag = 1;
  if (p->flag == 1)
    n++;
  if (p->flag == 1)
    y = 1;
  if (b == 7777) {
    if (y)
      n++;
    else
      m++;
  }
  return 0;
}
