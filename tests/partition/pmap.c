// A page map in the way of a small kernel's: each header is looked at on its own.
// options: --entry check_pages --global pages
// cflags: -DN=8
// paths: 17
#ifndef N
#define N 512
#endif
struct page {
  unsigned char is_used;
  unsigned char is_pinned;
} pages[N];
int n_free, n_pinned;
void check_pages(void) {
  for (int i = 0; i < N; i++) {
    if (!pages[i].is_used)
      continue;
    n_free--;
    if (pages[i].is_pinned)
      n_pinned++;
  }
}
