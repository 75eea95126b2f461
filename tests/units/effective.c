// Accesses through types that C does not allow, to what inputs lead to.
//
// trial: entry=pun param=p=nonnull check=effective-type expect=effective-type at=pun
// trial: entry=pun param=p=nonnull expect=clean
// trial: entry=only_if check=effective-type expect=effective-type at=only
// trial: entry=compatible param=m=nonnull check=effective-type expect=clean
struct mixed {
  unsigned number;
  float share;
  struct mixed *next;
  union {
    int i;
    float f;
  } either;
  char text[4];
};

float pun(int *p) {
  return *(float *)p; //~ pun
}

// Found on the path that comes there.
int only_if(struct mixed *m, int how) {
  if (!m || how != 12)
    return 0;
  return *(int *)&m->share; //~ only
}

float compatible(struct mixed *m) {
  int *number = (int *)&m->number;
  m->either.i = *number;
  float f = m->either.f;
  *(int *)&m->text = 3;
  m->share += f;
  return m->next ? m->next->share + (float)*(int *)&m->text : ((unsigned char *)m)[3];
}
