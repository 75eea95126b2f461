// Specifications that are refused before anything is run: a word that is none, a member that is none, a contradiction, a rule that
// only infinite heaps keep, a check that is no function.
//
// trial: entry=length hex=hex_bad_syntax.hex expect=usage
// trial: entry=length hex=hex_bad_member.hex expect=usage
// trial: entry=length hex=hex_bad_contradiction.hex expect=usage
// trial: entry=length hex=hex_bad_endless.hex expect=usage
// trial: entry=length hex=hex_bad_check.hex expect=usage
struct list {
  struct list *next;
};

int length(const struct list *list) {
  int n = 0;
  for (; list; list = list->next)
    n++;
  return n;
}
