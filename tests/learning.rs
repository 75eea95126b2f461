//! Rules for heaps that `spelunk hex` proposes: what they say, what is refuted, and that `spelunk run --hex` takes them as they are.

use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;

const DLIST: &str = r#"
#include <stdlib.h>
struct dnode { int value; struct dnode *prev, *next; };
struct dlist { struct dnode *head, *tail; };
void dlist_init(struct dlist *l) { l->head = l->tail = NULL; }
void push_front(struct dlist *l) {
  struct dnode *p = malloc(sizeof *p);
  p->value = 0, p->prev = NULL, p->next = l->head;
  if (l->head) l->head->prev = p; else l->tail = p;
  l->head = p;
}
void pop_back(struct dlist *l) {
  struct dnode *p = l->tail;
  if (!p) return;
  l->tail = p->prev;
  if (p->prev) p->prev->next = NULL; else l->head = NULL;
  free(p);
}
void dlist_free(struct dlist *l) { while (l->tail) pop_back(l); }

// Not among the calls that rules are learned from.
int is_symmetric(const struct dlist *l) {
  const struct dnode *front = l->head, *back = l->tail;
  int n = 0;
  while (front && front != back && front->next != back) {
    front = front->next;
    back = back->prev;
    n++;
  }
  return n;
}
int is_linked(const struct dlist *list) {
  const struct dnode *prev = NULL;
  for (const struct dnode *p = list->head; p; p = p->next) {
    if (p->prev != prev) return 0;
    prev = p;
  }
  if (list->tail != prev) return 0;
  return 1;
}
"#;

const RING: &str = r#"
#include <stdlib.h>
struct node { struct node *next; };
struct node *ring_new(void) {
  struct node *h = malloc(sizeof *h);
  return h->next = h;
}
void ring_add(struct node *h) {
  struct node *p = malloc(sizeof *p);
  p->next = h->next;
  h->next = p;
}
int size(const struct node *h) {
  int n = 1;
  for (const struct node *p = h->next; p != h; p = p->next) n++;
  return n;
}
"#;

/// A list that closes into a ring when it has five nodes.
const LATE: &str = r#"
#include <stdlib.h>
struct node { struct node *next; };
struct list { struct node *first; int n; };
void list_init(struct list *l) { l->first = NULL; l->n = 0; }
void add(struct list *l) {
  struct node *p = malloc(sizeof *p), *last = l->first;
  p->next = l->first;
  l->first = p;
  if (++l->n == 5) {
    while (last->next) last = last->next;
    last->next = p;
  }
}
"#;

/// What `spelunk hex` prints.
#[track_caller]
fn proposed(scene: &Scene, args: &[&str]) -> String {
    let output = scene.run(&[&["hex", "f.c"], args].concat());
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    output.stdout_text()
}

/// The rules without comments.
fn rules(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// Explores a function by the rules in a file; says how many paths it has.
#[track_caller]
fn n_paths(scene: &Scene, entry: &str, objects: &str) -> u64 {
    let args = ["run", "f.c", "--entry", entry, "--hex", "f.hex", "--objects", objects, "--out", entry, "--no-replay"];
    let output = scene.run(&args);
    assert_eq!(output.end, End::Exited(0), "{}{}", output.stdout_text(), output.stderr_text());
    assert!(!output.stderr_text().contains("warning"), "{}", output.stderr_text());
    let summary = scene.json(&format!("{entry}/summary.json"));
    assert_eq!(summary["bugs"].as_array().map(Vec::len), Some(0), "{summary}");
    summary["paths"].as_u64().expect("a number")
}

#[test]
fn a_list_with_two_ends() {
    let scene = Scene::new(&[("f.c", DLIST)]);
    let text = proposed(&scene, &["--sequence", "dlist_init,push_front,pop_back,dlist_free", "--length", "7"]);
    assert!(rules(&text).contains(&"in struct dnode { .next.prev is this }"), "{text}");
    // The empty list and those of one to three nodes: the header is an object too.
    assert!(text.contains("admit 4 shapes of up to 4 objects; the program built 4 of them"), "{text}");
    assert!(text.contains("`l` is a parameter `struct dlist *l`"), "{text}");
    std::fs::write(scene.path("f.hex"), &text).expect("a writable directory");
    assert_eq!(n_paths(&scene, "is_symmetric", "struct dnode=5"), 6, "{text}");
    // Another name for the parameter.
    let text = proposed(&scene, &["--sequence", "dlist_init,push_front,pop_back", "--length", "7", "--name", "list"]);
    std::fs::write(scene.path("f.hex"), &text).expect("a writable directory");
    assert_eq!(n_paths(&scene, "is_linked", "struct dnode=5"), 6, "{text}");
}

#[test]
fn a_ring() {
    let scene = Scene::new(&[("f.c", RING)]);
    let text = proposed(&scene, &["--sequence", "ring_new,ring_add", "--length", "6"]);
    assert_eq!(rules(&text), ["h(.next)* not null", "h(.next)+ aliases h"], "{text}");
    assert!(text.contains("# holds for 27 references in 6 heaps\nh(.next)* not null\n"), "{text}");
    assert!(text.contains("admit 4 shapes of up to 4 objects; the program built 4 of them"), "{text}");
    std::fs::write(scene.path("f.hex"), &text).expect("a writable directory");
    assert_eq!(n_paths(&scene, "size", "struct node=5"), 5);
}

#[test]
fn what_only_short_sequences_satisfy_is_refuted() {
    let scene = Scene::new(&[("f.c", LATE)]);
    let rule = "in struct list { .first(.next)* aliases nothing }";
    let sequence = ["--sequence", "list_init,add", "--length"];
    let short = proposed(&scene, &[&sequence[..], &["5"]].concat());
    assert!(rules(&short).contains(&rule), "{short}");
    let long = proposed(&scene, &[&sequence[..], &["10"]].concat());
    assert!(!rules(&long).contains(&rule), "{long}");
    let refuted = "# refuted by a sequence of 6 calls; up to 5 calls, it held for ";
    assert!(long.contains(refuted) && long.contains(&format!("#   {rule}\n")), "{long}");
}

#[test]
fn what_cannot_be_learned_from_is_an_error() {
    let source = r#"
#include <stdlib.h>
struct node { struct node *next; };
struct list { struct node *first; };
struct pair { int a, b; };
void set(struct pair *p) { p->a = 1; }
void spoil(struct list *l) { l->first = malloc(sizeof *l->first); free(l->first); }
void stop(struct list *l) { abort(); }
int main(void) { return 0; }
"#;
    let scene = Scene::new(&[("f.c", source)]);
    let refused = |args: &[&str], words: &str| {
        let output = scene.run(&[&["hex", "f.c"], args].concat());
        assert_eq!((output.end, output.stdout_text()), (End::Exited(2), String::new()));
        assert!(output.stderr_text().contains(words), "{}", output.stderr_text());
    };
    refused(&[], "--sequence");
    refused(&["--sequence", "spoil", "--length", "0"], "0 is not in 1..");
    refused(&["--sequence", "nothing"], "nothing");
    refused(&["--sequence", "set"], "`struct pair` has no pointer to a structure");
    refused(&["--sequence", "spoil", "--length", "2"], "no sequence of calls has built a complete structure");
    refused(&["--sequence", "stop", "--length", "2"], "no sequence of calls has returned");
}
