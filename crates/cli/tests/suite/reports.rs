//! What a report looks like, to the letter.

use crate::project::{Project, Run};

#[track_caller]
fn check(project: &Project, args: &[&str], expected: &str) {
    let run = project.exec(args);
    assert_eq!(run.stderr, expected);
    assert_eq!(run.code, Some(1));
}

const OVERFLOW: &str = "#include <stdlib.h>\n\
                        static char *make(int n) {\n\
                        \treturn malloc(n);\n\
                        }\n\
                        static void fill(char *p, int n) {\n\
                        \tfor (int i = 0; i <= n; i++)\n\
                        \t\tp[i] = 1;\n\
                        }\n\
                        int main(void) {\n\
                        \tchar *p = make(3);\n\
                        \tfill(p, 3);\n\
                        \treturn 0;\n\
                        }\n";

#[test]
fn an_error_has_its_calls_and_the_allocation() {
    check(
        &Project::new(&[("src/a.c", OVERFLOW)]),
        &["src/a.c"],
        "src/a.c:7:8: error: access out of bounds: 1-byte write past the end of a 3-byte heap object \
         [out-of-bounds]\n\
         \u{20}   7 | \t\tp[i] = 1;\n\
         \u{20}     | \t\t     ^\n\
         src/a.c:11:2: note: called from `main`\n\
         \u{20}  11 | \tfill(p, 3);\n\
         \u{20}     | \t^\n\
         src/a.c:3:9: note: allocated here\n\
         \u{20}   3 | \treturn malloc(n);\n\
         \u{20}     | \t       ^\n\
         src/a.c:10:12: note: called from `main`\n\
         \u{20}  10 | \tchar *p = make(3);\n\
         \u{20}     | \t          ^\n",
    );
}

#[test]
fn library_functions_are_named_and_not_shown() {
    let source = "#include <stdlib.h>\n\
                  static int compare(const void *a, const void *b) { return *(int *)a - *(volatile int *)0; }\n\
                  int main(void) { int v[2] = {2, 1}; qsort(v, 2, sizeof *v, compare); return 0; }\n";
    let run = Project::new(&[("a.c", source)]).exec(&["a.c"]);
    run.expect(1, &["a.c:2:71: error: null pointer", "\na.c:3:37: note: called from `main` through `qsort`\n"]);

    let source = "#include <stdio.h>\nint main(void) { char s[2] = \"no\"; printf(\"%s\", s); return 0; }\n";
    let run = Project::new(&[("a.c", source)]).exec(&["a.c"]);
    run.expect(1, &["a.c:2:36: error: access out of bounds", ", in `printf` [out-of-bounds]\n"]);
}

#[test]
fn an_error_after_main_is_placed_at_its_return() {
    let source = "#include <stdio.h>\n\
                  int main(void) {\n\
                  \x20 char buffer[BUFSIZ];\n\
                  \x20 setvbuf(stdout, buffer, _IOFBF, BUFSIZ);\n\
                  \x20 puts(\"x\");\n\
                  \x20 return 0;\n\
                  }\n";
    let run = Project::new(&[("a.c", source)]).exec(&["a.c"]);
    run.expect(1, &["a.c:6:3: error: use of a local variable", ", in `exit` [use-after-return]\n"]);
}

#[test]
fn inlined_calls_are_calls() {
    let source = "static inline __attribute__((always_inline)) int get(const int *p) {\n  return *p;\n}\n\
                  int *volatile nowhere;\nint main(void) {\n  return get(nowhere);\n}\n";
    let run = Project::new(&[("a.c", source)]).exec(&["a.c", "--cflag=-O1"]);
    run.expect(1, &["a.c:2:10: error: null pointer", "\na.c:6:10: note: called from `main`\n"]);
}

#[test]
fn files_are_spelt_as_they_were_given() {
    let files = [
        ("sub/a.c", "#include \"a.h\"\nint main(void) { return get(0); }\n"),
        ("sub/a.h", "static int get(int *p) { return *p; }\n"),
    ];
    let project = Project::new(&files);
    project.exec(&["./sub/a.c"]).expect(1, &["sub/a.h:1:33: error: ", "\n./sub/a.c:2:25: note: "]);
    let absolute = project.path().join("sub/a.c").display().to_string();
    project.exec(&[&absolute]).expect(1, &[&format!("\n{absolute}:2:25: note: ")]);
}

#[test]
fn source_that_is_gone_is_left_out() {
    let project = Project::new(&[("a.i", "# 1 \"gone.c\"\nint main(void) { return *(volatile int *)0; }\n")]);
    check(
        &project,
        &["a.i"],
        "gone.c:1:25: error: null pointer dereference: read through a null pointer [null-deref]\n",
    );
}

#[test]
fn without_debug_info_the_function_is_named() {
    let project = Project::new(&[("a.c", "int main(void) { return *(volatile int *)0; }\n")]);
    check(
        &project,
        &["a.c", "--cflag=-g0"],
        "error: null pointer dereference: read through a null pointer, in function `main` [null-deref]\n",
    );
}

#[test]
fn leaks_are_grouped_by_place() {
    let source = "#include <stdlib.h>\n\
                  struct node { struct node *next; };\n\
                  static void *kept;\n\
                  int main(void) {\n\
                  \x20 for (int i = 0; i < 3; i++) malloc(10);\n\
                  \x20 struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);\n\
                  \x20 a->next = b;\n\
                  \x20 b->next = a;\n\
                  \x20 a = b = 0;\n\
                  \x20 char *inside = malloc(8);\n\
                  \x20 kept = inside + 3;\n\
                  \x20 return 0;\n\
                  }\n";
    let project = Project::new(&[("a.c", source)]);
    project.exec(&["a.c", "--cflag=-w"]).expect(0, &[]);
    check(
        &project,
        &["a.c", "--cflag=-w", "--check=leak"],
        "a.c:5:31: error: memory leak: 3 heap objects of 30 bytes in all were never freed [leak]\n\
         \u{20}   5 |   for (int i = 0; i < 3; i++) malloc(10);\n\
         \u{20}     |                               ^\n\
         a.c:6:20: error: memory leak: an 8-byte heap object was never freed, nor 1 object that nothing else points to \
         [leak]\n\
         \u{20}   6 |   struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);\n\
         \u{20}     |                    ^\n",
    );
}

#[test]
fn colours_only_when_asked_for() {
    let project = Project::new(&[("a.c", "int main(void) { return *(volatile int *)0; }\n")]);
    let forced = project.command(&["a.c"]).env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR").output();
    Run::of(forced.expect("spelunk starts")).expect(1, &["\u{1b}[1m\u{1b}[31merror: "]);
    assert!(!project.exec(&["a.c"]).stderr.contains('\u{1b}'));
}
