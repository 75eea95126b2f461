//! What functions of C programs can be given, through the public API.

use spelunk_concolic::graph::unit::Role;
use spelunk_concolic::{Input, Runner};
use spelunk_driver::{Loaded, Options, Purpose};
use spelunk_inputs::{Functions, Request, UnitError};

const LIST: &str = r#"
#include <stdbool.h>
struct node { int value; struct node *next; };
int limit = 8;
bool is_sorted(const struct node *l) { return !l || !l->next || l->value <= l->next->value; }
int length(struct node *l) { int n = 0; for (; l; l = l->next) n++; return n; }
int sum(const int *values, unsigned n) { int s = 0; while (n--) s += values[n]; return s; }
int twice(int x) { return 2 * x; }
int apply(int (*f)(int), int x) { return f(x); }
int variadic(int n, ...) { return n; }
"#;

/// What makes and works on structures, and what is handed on.
const QUEUES: &str = r#"
#include <stdarg.h>
struct queue { int n; };
struct pool { int n; };
struct lone { int n; };
struct queue *queue_new_with(int n, int m) { (void)n; (void)m; return 0; }
int queue_put(struct queue *q, int value) { return q->n + value; }
struct queue *queue_new(void) { return 0; }
void pool_init(struct pool *p) { p->n = 0; }
int pool_take(struct pool *p, struct queue *q) { return p->n + q->n; }
int lone_get(struct lone *l) { return l->n; }
int add_all(int n, va_list list) { return n + va_arg(list, int); }
static int by_size(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int sort(int (**compare)(const void *, const void *)) { *compare = by_size; return 0; }
"#;

#[test]
fn functions_belong_together_if_one_makes_what_the_others_work_on() {
    let loaded = load_source(QUEUES);
    let functions = Functions::new(&loaded.program, &loaded.image);
    let names: Vec<String> = functions.list().into_iter().map(|(name, _)| name).collect();
    let families: Vec<(String, Vec<String>)> =
        functions.families(&names).into_iter().map(|family| (family.structure, family.functions)).collect();
    let family = |structure: &str, functions: &[&str]| {
        (structure.to_owned(), functions.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    };
    // The one with the fewest parameters is first.
    let of_queues = family("struct queue", &["queue_new", "queue_new_with", "queue_put"]);
    assert_eq!(families, [family("struct pool", &["pool_init", "pool_take"]), of_queues]);
    // None of them by itself.
    assert_eq!(functions.families(&["queue_put".to_owned(), "lone_get".to_owned()]), []);
}

#[test]
fn what_can_be_tested_and_through_what() {
    let loaded = load_source(QUEUES);
    let functions = Functions::new(&loaded.program, &loaded.image);
    assert!(
        matches!(functions.unit(&request("add_all")), Err(UnitError::ArgumentList { param, .. }) if param == "list")
    );
    // Nobody calls it, but it is handed on.
    assert_eq!(functions.internal("by_size"), Some(vec!["sort".to_owned()]));
    assert_eq!(functions.internal("sort"), None);
}

fn load() -> Loaded {
    load_source(LIST)
}

fn load_source(source: &str) -> Loaded {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("p.c");
    std::fs::write(&path, source).expect("a writable directory");
    let options = Options { sources: vec![path], purpose: Purpose::Explore, ..Options::default() };
    spelunk_driver::load(&options).expect("it compiles")
}

fn request(entry: &str) -> Request {
    Request { entry: entry.to_owned(), ..Request::default() }
}

#[test]
fn functions_are_listed_with_what_they_are_given() {
    let loaded = load();
    let listed = Functions::new(&loaded.program, &loaded.image).list();
    let names: Vec<&str> = listed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["is_sorted", "length", "sum", "twice", "apply", "variadic"]);
    let inputs = |name: &str| listed.iter().find(|(known, _)| known == name).map(|(_, inputs)| inputs.clone());
    let length = inputs("length").unwrap().unwrap();
    assert_eq!(length.params, "struct node *l");
    assert_eq!(length.inputs.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["l"]);
    assert!(matches!(inputs("variadic"), Some(Err(UnitError::VariableArguments { name })) if name == "variadic"));
}

#[test]
fn a_unit_calls_conditions_around_the_function() {
    let loaded = load();
    let functions = Functions::new(&loaded.program, &loaded.image);
    let conditions = Request {
        assume: vec!["is_sorted".into()],
        ensure: vec!["is_sorted".into()],
        max_nesting: Some(3),
        ..request("length")
    };
    let unit = functions.unit(&conditions).unwrap();
    let called: Vec<_> =
        unit.calls().map(|call| (call.role, &*loaded.image.functions[call.function.index()].name)).collect();
    assert_eq!(called, [(Role::Assume, "is_sorted"), (Role::Test, "length"), (Role::Ensure, "is_sorted")]);
    assert_eq!(unit.max_nesting, Some(3));
    let misspelt = functions.unit(&request("lengt")).unwrap_err();
    assert!(
        matches!(&misspelt, UnitError::NoFunction { suggestion: Some(known), .. } if known == "length"),
        "{misspelt}"
    );
}

#[test]
fn settings_are_about_parameters_that_exist() {
    let loaded = load();
    let functions = Functions::new(&loaded.program, &loaded.image);
    let setting = "values=array:n".parse().unwrap();
    assert!(functions.has_input("sum", &setting) && !functions.has_input("length", &setting));
    assert!(functions.unit(&Request { settings: vec![setting.clone()], ..request("sum") }).is_ok());
    assert!(functions.unit(&Request { settings: vec![setting], ..request("length") }).is_err());
    let global = |name: &str| Request { globals: vec![name.parse().unwrap()], ..request("length") };
    assert!(functions.unit(&global("limit")).is_ok());
    assert!(functions.unit(&global("limits")).is_err());
}

#[test]
fn a_pointer_to_a_function_gets_a_stub_that_the_image_has_to_have() {
    let loaded = load();
    let stubs = |entry: &str| {
        let functions = Functions::new(&loaded.program, &loaded.image);
        functions.unit(&request(entry)).expect("it can be tested");
        functions.into_stubs()
    };
    assert!(stubs("apply").contains(&"(*f)".to_owned()));
    assert!(stubs("sum").is_empty());
}

#[test]
fn parameters_carry_nothing_where_an_input_is_only_tried() {
    let loaded = load();
    let unit = Functions::new(&loaded.program, &loaded.image).unit(&request("length")).unwrap();
    let options = spelunk_concolic::Options { unit: Some(unit.into()), ..Default::default() };
    let mut runner = Runner::new(&loaded.image, options);
    let first = runner.run(&Input::new(), &[]).unwrap();
    assert_eq!(first.path.len(), 1);
    let tried = runner.probe(&first.input, u64::MAX).unwrap();
    assert_eq!((tried.path.len(), tried.executed), (0, first.executed));
}
