// Specifications that are refused before anything is run: a word that is none, a member that is none, a contradiction, a rule that
// only infinite heaps keep, a check that is no function, no rule at all, two places to expand to. What is said tells where, and why.
//
// trial: entry=length hex=hex_bad_syntax.hex expect=usage says=:1:18:_error:_expected_`null`,_found_`nul`
// trial: entry=length hex=hex_bad_member.hex expect=usage says=:1:6:_error:_no_pointer_or_struct_`.nxt`_in_`struct_list`
// trial: entry=length hex=hex_bad_contradiction.hex expect=usage says=:2:1:_error:_nothing_satisfies_these_rules:_nothing_is_left_for_`list`
// trial: entry=length hex=hex_bad_endless.hex expect=usage says=error:_nothing_satisfies_these_rules
// trial: entry=length hex=hex_bad_check.hex expect=usage says=lenght
// trial: entry=length hex=hex_bad_empty.hex expect=usage says=:1:1:_error:_there_are_no_rules_here
// trial: entry=n_items hex=hex_bad_place.hex expect=usage says=:3:25:_error:_`struct_link.next`_can't_expand_to_several_places
struct list {
  struct list *next;
};

struct link {
  struct link *next;
};

struct item {
  struct link link;
  struct item *other;
};

int length(const struct list *list) {
  int n = 0;
  for (; list; list = list->next)
    n++;
  return n;
}

int n_items(const struct link *link, const struct item *item) { return !item + (link && link->next); }
