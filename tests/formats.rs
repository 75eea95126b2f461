//! What `spelunk export` writes for other tools to read: read back here by what knows nothing of how it was written, and given
//! to the tools where they are there.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output};

use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;
use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;

/// Runs `spelunk`, which must end with this code. Returns what it printed.
#[track_caller]
fn spelunk(scene: &Scene, args: &[&str], code: i32) -> String {
    let output = scene.run(args);
    assert_eq!(output.end, End::Exited(code), "{args:?}\n{}", output.stderr_text());
    output.stdout_text().to_string() + &output.stderr_text()
}

#[track_caller]
fn export(scene: &Scene, format: &str, more: &[&str]) -> String {
    spelunk(scene, &[&["export", "out", "--format", format, "--to", format], more].concat(), 0)
}

#[track_caller]
fn compile(scene: &Scene, args: &[&str]) {
    run(Command::new("clang-19").args(["-w", "-o", "program"]).args(args).current_dir(scene.dir.path()));
}

#[track_caller]
fn run(command: &mut Command) -> Output {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The files of a directory with their content, by name.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry").path());
    entries.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())).collect()
}

/// Statuses that tests end with, by number.
fn statuses(scene: &Scene) -> Vec<i64> {
    scene.tests("out").iter().map(|test| test["end"]["status"].as_i64().expect("a status")).collect()
}

/// A `.ktest` file: arguments, and objects by name.
struct Ktest {
    args: Vec<String>,
    objects: Vec<(String, Vec<u8>)>,
}

impl Ktest {
    fn read(path: &Path) -> Self {
        let content = fs::read(path).expect("a file");
        let mut rest = content.strip_prefix(b"KTEST").expect("the magic word");
        let number = |rest: &mut &[u8]| {
            let (bytes, after) = rest.split_first_chunk().expect("four bytes");
            *rest = after;
            u32::from_be_bytes(*bytes)
        };
        let bytes = |rest: &mut &[u8]| {
            let len = number(rest) as usize;
            let (bytes, after) = rest.split_at(len);
            *rest = after;
            bytes.to_vec()
        };
        let text = |bytes| String::from_utf8(bytes).expect("text");
        assert_eq!(number(&mut rest), 3);
        let args = (0..number(&mut rest)).map(|_| text(bytes(&mut rest))).collect();
        assert_eq!((number(&mut rest), number(&mut rest)), (0, 0));
        let objects = (0..number(&mut rest)).map(|_| (text(bytes(&mut rest)), bytes(&mut rest))).collect();
        assert!(rest.is_empty());
        Self { args, objects }
    }

    fn names(&self) -> Vec<&str> {
        self.objects.iter().map(|(name, _)| &**name).collect()
    }
}

const KLEE_PROGRAM: &str = r#"
    #include <klee/klee.h>
    int main(void) {
      int n[2];
      klee_make_symbolic(n, sizeof n, "n");
      char c;
      klee_make_symbolic(&c, 1, "n");
      int k = klee_range(1, 9, "k");
      if (n[1] == 77)
        return k == 3;
      return c == 'x' ? 5 : 2;
    }"#;

/// The functions of KLEE that the program calls, with values from a file: what is asked for must be there under its name.
const KLEE_DRIVER: &str = r#"
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    static FILE *file;
    static uint32_t number(void) {
      uint32_t value = 0;
      for (int i = 0; i < 4; i++)
        value = value << 8 | (uint32_t)fgetc(file);
      return value;
    }
    static char *text(void) {
      uint32_t len = number();
      char *bytes = calloc(1, len + 1);
      if (fread(bytes, 1, len, file) != len) exit(99);
      return bytes;
    }
    void klee_make_symbolic(void *area, size_t size, const char *name) {
      if (!file) {
        file = fopen(getenv("KTEST_FILE"), "rb");
        fseek(file, 9, SEEK_SET);
        for (uint32_t n = number(); n > 0; n--) free(text());
        number(), number(), number();
      }
      if (strcmp(text(), name) != 0 || number() != size || fread(area, 1, size, file) != size) exit(98);
    }
    int klee_range(int first, int end, const char *name) {
      int value;
      klee_make_symbolic(&value, sizeof value, name);
      if (value < first || value >= end) exit(97);
      return value;
    }"#;

#[test]
fn ktest_files_hold_what_a_program_asks_klee_for() {
    let scene = Scene::new(&[("p.c", KLEE_PROGRAM), ("driver.c", KLEE_DRIVER)]);
    spelunk(&scene, &["run", "p.c", "--no-replay", "--out", "out"], 0);
    export(&scene, "ktest", &[]);
    let statuses = statuses(&scene);
    assert_eq!(files(&scene.path("ktest")).len(), statuses.len());
    let headers = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/concolic/include");
    compile(&scene, &["-I", headers, "p.c", "driver.c"]);
    for (number, status) in statuses.iter().enumerate() {
        let path = scene.path(&format!("ktest/test{:06}.ktest", number + 1));
        let test = Ktest::read(&path);
        assert_eq!(test.args, ["p.bc"]);
        assert_eq!(test.names(), ["n", "n", "k"]);
        let native = Command::new(scene.path("program")).env("KTEST_FILE", &path).status().expect("it starts");
        assert_eq!(native.code().map(i64::from), Some(*status));
    }
}

#[test]
fn ktest_files_name_arguments_files_and_standard_input_as_klee_does() {
    let program = r#"
        #include <stdio.h>
        int main(int argc, char **argv) {
          FILE *file = fopen("A", "r");
          if (argc == 4 && argv[3][0] == 'q' && getchar() == 's' && file && fgetc(file) == 'f')
            return 3;
          return 0;
        }"#;
    let scene = Scene::new(&[("p.c", program)]);
    let inputs = ["--sym-arg", "2", "--sym-args", "0", "2", "3", "--sym-stdin", "4", "--sym-file", "A", "5"];
    spelunk(&scene, &[&["run", "p.c", "--arg", "-v", "--no-replay", "--out", "out"], &inputs[..]].concat(), 0);
    export(&scene, "ktest", &[]);
    let n_tests = statuses(&scene).len();
    let found = statuses(&scene).iter().position(|&status| status == 3).expect("all of it is reached");
    for number in 1..=n_tests {
        let test = Ktest::read(&scene.path(&format!("ktest/test{number:06}.ktest")));
        let line = "p.bc -v --sym-arg 2 --sym-args 0 2 3 --sym-files 1 5 --sym-stdin 4";
        assert_eq!(test.args.join(" "), line);
        let sizes: BTreeMap<_, _> = test.objects.iter().map(|(name, bytes)| (&**name, bytes.len())).collect();
        let n_args = sizes.keys().filter(|name| name.starts_with("arg")).count();
        let values: BTreeMap<_, _> = test.objects.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
        assert_eq!(usize::from(values["n_args"][0]) + 1, n_args, "{sizes:?}");
        assert_eq!((sizes["arg00"], sizes["n_args"], sizes["A_data"], sizes["A_data_stat"]), (3, 4, 5, 144));
        assert_eq!((sizes["stdin"], sizes["stdin_stat"]), (4, 144));
        if number == found + 1 {
            assert_eq!(test.names()[..4], ["arg00", "n_args", "arg01", "A_data"]);
            assert_eq!((values["arg01"][0], values["stdin"][0], values["A_data"][0]), (b'q', b's', b'f'));
        }
    }
}

#[test]
fn tests_with_pointers_are_left_out_of_files_that_have_none() {
    let scene = Scene::new(&[("f.c", "int f(int *p, char c) { return p && *p == c; }\n")]);
    spelunk(&scene, &["run", "f.c", "--entry", "f", "--no-replay", "--out", "out"], 0);
    let text = export(&scene, "ktest", &[]);
    assert!(text.contains("is left out: its input has pointers") && text.contains("1 tests, "), "{text}");
    let text = export(&scene, "testcomp", &[]);
    assert!(text.contains("its input does not come from __VERIFIER_nondet_… functions alone"), "{text}");
    assert!(text.contains("testcomp: 0 tests, "), "{text}");
}

const VERIFIER_PROGRAM: &str = r#"
    extern int __VERIFIER_nondet_int(void);
    extern unsigned char __VERIFIER_nondet_uchar(void);
    extern double __VERIFIER_nondet_double(void);
    extern _Bool __VERIFIER_nondet_bool(void);
    void reach_error(void) {}
    int main(void) {
      int n = __VERIFIER_nondet_int();
      if (n == -5) {
        if (__VERIFIER_nondet_uchar() > 200)
          return 1;
        return 2;
      }
      if (__VERIFIER_nondet_double() == 0.1)
        return 3;
      if (__VERIFIER_nondet_bool())
        return 4;
      return 6;
    }"#;

/// Reads values from standard input, a line each.
const VERIFIER_DRIVER: &str = r#"
    #include <stdio.h>
    #include <stdlib.h>
    static const char *line(void) {
      static char text[200];
      if (!fgets(text, sizeof text, stdin)) exit(99);
      return text;
    }
    int __VERIFIER_nondet_int(void) { return (int)strtol(line(), 0, 10); }
    unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)strtoul(line(), 0, 10); }
    double __VERIFIER_nondet_double(void) { return strtod(line(), 0); }
    _Bool __VERIFIER_nondet_bool(void) { return atoi(line()); }"#;

/// As the rules of Test-Comp have them.
const METADATA_DTD: &str = "
    <!ELEMENT test-metadata (sourcecodelang, producer, specification, programfile, programhash, entryfunction, architecture,
      inputtestsuitefile*, inputtestsuitehash*, creationtime)>
    <!ELEMENT sourcecodelang (#PCDATA)> <!ELEMENT producer (#PCDATA)> <!ELEMENT specification (#PCDATA)>
    <!ELEMENT programfile (#PCDATA)> <!ELEMENT programhash (#PCDATA)> <!ELEMENT entryfunction (#PCDATA)>
    <!ELEMENT architecture (#PCDATA)> <!ELEMENT inputtestsuitefile (#PCDATA)> <!ELEMENT inputtestsuitehash (#PCDATA)>
    <!ELEMENT creationtime (#PCDATA)>";
const TESTCASE_DTD: &str = "
    <!ELEMENT testcase (input*)> <!ELEMENT input (#PCDATA)>
    <!ATTLIST testcase coversError (true|false) 'false'> <!ATTLIST input type CDATA '' variable CDATA ''>";

fn parse(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn is_named(name: &'static str) -> impl Fn(&Node<'_, '_>) -> bool {
    move |node| node.has_tag_name(name)
}

#[test]
fn test_comp_suites_are_valid_and_give_programs_their_values() {
    let scene = Scene::new(&[("p.c", VERIFIER_PROGRAM), ("driver.c", VERIFIER_DRIVER)]);
    fs::write(scene.path("test-metadata.dtd"), METADATA_DTD).expect("a writable directory");
    fs::write(scene.path("testcase.dtd"), TESTCASE_DTD).expect("a writable directory");
    spelunk(&scene, &["run", "p.c", "--no-replay", "--out", "out"], 0);
    export(&scene, "testcomp", &[]);
    let statuses = statuses(&scene);
    assert_eq!(statuses.len(), 5);
    compile(&scene, &["p.c", "driver.c"]);
    for (number, status) in statuses.iter().enumerate() {
        let name = format!("testcomp/testcase-{}.xml", number + 1);
        let mut lint = Command::new("xmllint");
        lint.args(["--noout", "--nonet", "--dtdvalid", "testcase.dtd", &name]).current_dir(scene.dir.path());
        run(&mut lint);
        let text = fs::read_to_string(scene.path(&name)).expect("a file");
        let document = parse(&text);
        let inputs = document.descendants().filter(is_named("input"));
        let values: String = inputs.map(|input| input.text().expect("a value").to_owned() + "\n").collect();
        fs::write(scene.path("values"), values).expect("a writable directory");
        let values = File::open(scene.path("values")).expect("a file");
        let native = Command::new(scene.path("program")).stdin(values).status().expect("it starts");
        assert_eq!(native.code().map(i64::from), Some(*status), "{text}");
    }

    let mut lint = Command::new("xmllint");
    lint.args(["--noout", "--nonet", "--dtdvalid", "test-metadata.dtd", "testcomp/metadata.xml"]);
    run(lint.current_dir(scene.dir.path()));
    let text = fs::read_to_string(scene.path("testcomp/metadata.xml")).expect("a file");
    let document = parse(&text);
    let item = |name| document.descendants().find(is_named(name)).and_then(|node| node.text()).expect("an item");
    let digest = run(Command::new("sha256sum").arg(scene.path("p.c"))).stdout;
    assert!(digest.starts_with(item("programhash").as_bytes()));
    assert_eq!((item("programfile"), item("entryfunction"), item("architecture")), ("p.c", "main", "64bit"));

    // The archive has the same files, in no directory.
    let mut archive =
        zip::ZipArchive::new(File::open(scene.path("testcomp/test-suite.zip")).expect("a file")).expect("zip");
    let mut beside = files(&scene.path("testcomp"));
    beside.remove("test-suite.zip");
    let mut inside = BTreeMap::new();
    for idx in 0..archive.len() {
        let mut file = archive.by_index(idx).expect("a file");
        let mut content = Vec::new();
        file.read_to_end(&mut content).expect("its content");
        inside.insert(file.name().to_owned(), content);
    }
    assert_eq!(inside, beside);
}

#[test]
fn a_test_that_reaches_the_error_says_so() {
    let program = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
                   int main(void) { if (__VERIFIER_nondet_int() == 9) reach_error(); return 0; }\n";
    let scene = Scene::new(&[("p.c", program)]);
    spelunk(&scene, &["run", "p.c", "--no-replay", "--out", "out"], 1);
    export(&scene, "testcomp", &[]);
    let texts = files(&scene.path("testcomp"));
    let texts =
        texts.iter().filter(|(name, _)| name.starts_with("testcase-")).map(|(_, text)| String::from_utf8_lossy(text));
    let errors: Vec<_> = texts.filter(|text| text.contains("coversError=\"true\"")).collect();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].contains("<input type=\"int\">9</input>"), "{}", errors[0]);
}

const FUZZ_TARGET: &str = r#"
    #include <stddef.h>
    #include <stdint.h>
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
      if (size >= 3 && data[0] == 'F' && data[1] == 'U' && data[2] == 'Z')
        return 0;
      return size == 2 && data[1] == 7;
    }"#;

#[test]
fn libfuzzer_starts_from_a_corpus() {
    let scene = Scene::new(&[("f.c", FUZZ_TARGET)]);
    let entry = ["--entry", "LLVMFuzzerTestOneInput", "--param", "data=array:size"];
    spelunk(&scene, &[&["run", "f.c", "--no-replay", "--out", "out"], &entry[..]].concat(), 0);
    export(&scene, "corpus", &[]);
    let inputs = files(&scene.path("corpus"));
    assert!(inputs.values().any(|bytes| bytes.starts_with(b"FUZ")), "{inputs:?}");
    for (name, bytes) in &inputs {
        fs::write(scene.path("input"), bytes).expect("a writable directory");
        assert!(run(Command::new("sha256sum").arg(scene.path("input"))).stdout.starts_with(name.as_bytes()));
    }
    compile(&scene, &["-g", "-fsanitize=fuzzer", "f.c"]);
    let output = run(Command::new(scene.path("program")).args(["-runs=0", "corpus"]).current_dir(scene.dir.path()));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains(&format!("{} files found in corpus", inputs.len())), "{text}");
}

#[test]
fn a_corpus_holds_standard_input_or_the_object_that_is_asked_for() {
    let program = r#"
        #include <klee/klee.h>
        #include <stdio.h>
        int main(void) {
          char tag[2];
          klee_make_symbolic(tag, 2, "tag");
          if (getchar() == 'a')
            return tag[0] == 'b' && tag[1] == 'c';
          return 2;
        }"#;
    let scene = Scene::new(&[("p.c", program)]);
    spelunk(&scene, &["run", "p.c", "--sym-stdin", "3", "--no-replay", "--out", "out"], 0);
    export(&scene, "corpus", &[]);
    assert_eq!(files(&scene.path("corpus")).len(), statuses(&scene).len());
    assert!(files(&scene.path("corpus")).values().all(|bytes| bytes.len() == 5));
    fs::remove_dir_all(scene.path("corpus")).expect("a directory");
    let text = export(&scene, "corpus", &["--object", "stdin"]);
    assert!(text.contains("another test has the same bytes"), "{text}");
    let inputs = files(&scene.path("corpus"));
    assert!(inputs.len() < statuses(&scene).len() && inputs.values().all(|bytes| bytes.len() == 3), "{inputs:?}");
    let text = export(&scene, "corpus", &["--object", "other"]);
    assert!(text.contains("its input has no object `other`") && text.contains("corpus: 0 tests"), "{text}");
}

/// What tools that read JUnit's XML rely on: elements, attributes and their order, and counts that add up.
fn check_junit(document: &Document<'_>) {
    let number = |node: &Node<'_, '_>, name: &str| -> f64 {
        let value = node.attribute(name).unwrap_or_else(|| panic!("no {name}"));
        value.parse().unwrap_or_else(|_| panic!("{name}={value}"))
    };
    let root = document.root_element();
    assert!(root.has_tag_name("testsuites"));
    for suite in root.children().filter(Node::is_element) {
        assert!(suite.has_tag_name("testsuite") && suite.attribute("name").is_some());
        let parts: Vec<_> = suite.children().filter(Node::is_element).collect();
        assert!(parts[0].has_tag_name("properties"));
        assert!(parts[0].children().filter(Node::is_element).all(|property| property.has_tag_name("property")
            && property.attribute("name").is_some()
            && property.attribute("value").is_some()));
        let cases = &parts[1..];
        let count =
            |name: &'static str| cases.iter().filter(|case| case.children().any(|node| is_named(name)(&node))).count();
        let counted = [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")];
        for node in [&root, &suite] {
            assert_eq!(number(node, "tests") as usize, cases.len());
            assert!(counted.iter().all(|(attribute, element)| number(node, attribute) as usize == count(element)));
            assert!(number(node, "time") >= 0.0);
        }
        for case in cases {
            assert!(case.has_tag_name("testcase"));
            assert!(case.attribute("name").is_some() && case.attribute("classname").is_some());
            assert!(number(case, "time") >= 0.0);
            let outcomes: Vec<_> = case.children().filter(Node::is_element).collect();
            assert!(outcomes.len() <= 1);
            assert!(outcomes.iter().all(|outcome| outcome.attribute("message").is_some()));
        }
    }
}

#[test]
fn results_are_told_as_junit_does() {
    let program = r#"
        #include <klee/klee.h>
        int main(void) {
          int n = klee_int("a<b");
          if (n == 1)
            for (unsigned long steps = 0;; steps++) ;
          return 60 / n;
        }"#;
    let scene = Scene::new(&[("p.c", program)]);
    spelunk(&scene, &["run", "p.c", "--max-steps", "10000", "--out", "out"], 1);
    export(&scene, "junit", &[]);
    let text = fs::read_to_string(scene.path("junit/junit.xml")).expect("a file");
    let document = parse(&text);
    check_junit(&document);
    let failure = document.descendants().find(is_named("failure")).expect("a failure");
    assert_eq!(failure.attribute("message"), Some("p.c:7: division by zero: 60 is divided by zero"));
    assert_eq!(failure.attribute("type"), Some("div-by-zero"));
    assert_eq!(failure.text(), Some("p.c:7 in main\nconfirmed by a native run"));
    let skipped = document.descendants().find(is_named("skipped")).expect("one that was not compared");
    assert_eq!(skipped.attribute("message"), Some("it ended at the limit on instructions"));

    // A test that ends otherwise natively is an error of ours.
    let ordinary = scene.tests("out").iter().position(|test| test["end"]["kind"] == "exited").expect("a test") + 1;
    scene.change(&format!("out/tests/{ordinary:06}.json"), |test| test["end"]["status"] = Value::from(77));
    spelunk(&scene, &["replay", "out"], 3);
    export(&scene, "junit", &[]);
    let text = fs::read_to_string(scene.path("junit/junit.xml")).expect("a file");
    let document = parse(&text);
    check_junit(&document);
    let error = document.descendants().find(is_named("error")).expect("an error");
    assert!(error.attribute("message").is_some_and(|message| message.ends_with("instead of exit status 77")), "{text}");
}

#[test]
fn what_cannot_be_written_or_read_is_named() {
    let scene = Scene::new(&[("p.c", VERIFIER_PROGRAM)]);
    spelunk(&scene, &["run", "p.c", "--no-replay", "--out", "out"], 0);
    for format in ["ktest", "testcomp", "corpus", "junit"] {
        let to = ["export", "out", "--format", format, "--to", "p.c/no"];
        assert!(spelunk(&scene, &to, 2).contains("p.c/no"), "{format}");
    }
    fs::remove_file(scene.path("p.c")).expect("a file");
    assert!(spelunk(&scene, &["export", "out", "--format", "testcomp"], 2).contains("p.c: No such file"));
    export(&scene, "junit", &[]);
}
