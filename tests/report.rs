//! What `spelunk report` writes: the page by its data, SARIF by the official schema, annotations to the letter; and what it
//! says if it can't. Clicks in a real browser are the business of the program `browser`.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use cargo_metadata::MetadataCommand;
use serde_json::Value;
use spelunk_tests::page;
use spelunk_tests::process::{self, End, Output};
use spelunk_tests::spelunk::Spelunk;
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(120);

/// Four paths, of which one ends in a bug; line 15 is never reached.
const PROGRAM: &str = r#"#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int n = klee_int("n");
  if (n < 0)
    return 1;
  switch (n) {
  case 3:
    return 2;
  case 4:
    abort();
  }
  int zero = 0;
  if (zero)
    return 3;
  return 0;
}
"#;

struct Scene {
    dir: TempDir,
}

impl Scene {
    /// A directory with the campaign of a program in `out`.
    fn new() -> Scene {
        let scene = Scene { dir: tempfile::tempdir().expect("a temporary directory") };
        scene.write("p.c", PROGRAM);
        scene.explore("out");
        scene
    }

    fn explore(&self, out: &str) {
        let output = self.spelunk(&["run", "p.c", "--out", out]);
        assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a writable directory");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a readable file")
    }

    fn spelunk(&self, args: &[&str]) -> Output {
        static SPELUNK: OnceLock<Spelunk> = OnceLock::new();
        let spelunk = SPELUNK.get_or_init(|| Spelunk::locate().unwrap_or_else(|error| panic!("{error}")));
        let mut command: Command = spelunk.command();
        process::run(command.args(args).current_dir(self.dir.path()), b"", LIMIT).expect("spelunk starts")
    }

    /// Writes a report, which must succeed. Returns what was printed.
    fn report(&self, args: &[&str]) -> String {
        let output = self.spelunk(&[&["report"], args].concat());
        assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
        String::from_utf8(output.stdout).expect("text")
    }

    /// Writes a report, which must be refused with this in the message.
    fn refused(&self, args: &[&str], message: &str) {
        let output = self.spelunk(&[&["report"], args].concat());
        assert_eq!(output.end, End::Exited(2), "{args:?}");
        assert!(output.stderr_text().contains(message), "{}", output.stderr_text());
    }

    fn page_data(&self) -> Value {
        self.report(&["out"]);
        page::data(&self.read("out/report.html")).expect("data in the page")
    }

    fn sarif(&self) -> Value {
        serde_json::from_str(&self.report(&["out", "--format", "sarif", "--to", "-"])).expect("JSON")
    }
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().expect("an array").iter().map(|number| number.as_i64().expect("a number")).collect()
}

/// How many tests take a decision at a line, by the alternative.
fn n_taken(data: &Value, line: i64, alternative: i64) -> usize {
    let is_it = |decision: i64| {
        let decision = &data["decisions"][decision as usize];
        let site = &data["sites"][decision[0].as_i64().expect("a site") as usize];
        site[1] == line && decision[2] == alternative
    };
    page::paths(data).iter().filter(|path| path.iter().any(|&decision| is_it(decision))).count()
}

#[test]
fn the_page_holds_all_that_was_found() {
    let scene = Scene::new();
    let data = scene.page_data();
    assert_eq!(numbers(&data["tests"]["number"]), [1, 2, 3, 4]);
    assert_eq!(data["summary"]["bugs"][0]["kind"], "abort");
    assert_eq!(data["files"][0]["path"], "p.c");
    assert_eq!(data["files"][0]["text"], PROGRAM);
    assert_eq!(data["files"][0]["state"], "same");
    // Three go on where the condition is false, whichever way the code jumps.
    assert_eq!((n_taken(&data, 5, 1), n_taken(&data, 5, 0)), (1, 3));
    let lines: Vec<Vec<i64>> = data["files"][0]["lines"].as_array().expect("lines").iter().map(numbers).collect();
    let missed: Vec<i64> = lines.iter().filter(|line| line[1] == 0).map(|line| line[0]).collect();
    assert_eq!(missed, [15]);
    let outcomes = |line: i64| -> Vec<(i64, i64, i64)> {
        let branches = data["branches"].as_array().expect("branches").iter();
        let branches = branches.map(|branch| numbers(&branch.as_array().expect("an array")[..4].into()));
        let mut found: Vec<_> = branches
            .filter(|branch| data["sites"][branch[0] as usize][1] == line)
            .map(|branch| (branch[2], if branch[2] == 0 { branch[1] } else { 0 }, branch[3]))
            .collect();
        found.sort_unstable();
        found
    };
    assert_eq!(outcomes(5), [(0, 0, 1), (0, 1, 1)]);
    assert_eq!(outcomes(14), [(0, 0, 1), (0, 1, 0)]);
    assert_eq!(outcomes(7), [(9, 0, 1), (11, 0, 1), (13, 0, 1)]);
    let samples = data["samples"].as_array().expect("samples");
    assert_eq!(samples[0]["paths"], 0);
    assert_eq!(samples.last().expect("a sample")["paths"], 4);
    let test = data["summary"]["bugs"][0]["test"].to_string();
    assert!(data["pictures"][&test].as_str().is_some_and(|picture| picture.starts_with("<svg")));
}

/// A list of up to two nodes; the rule refuses that the second is the first again, or itself.
const HEAP: &str = r#"struct node { struct node *next; };
int length(struct node *list) { return !list ? 0 : !list->next ? 1 : !list->next->next ? 2 : 3; }
int ok(struct node *list) { return list != 0; }
"#;

#[test]
fn rules_for_heaps_and_the_audit_are_on_the_page() {
    let scene = Scene { dir: tempfile::tempdir().expect("a temporary directory") };
    scene.write("p.c", HEAP);
    scene.write("list.hex", "list(.next)* aliases nothing\nlist(.next)+ not null or list(.next)* aliases nothing\n");
    let args = ["run", "p.c", "--entry", "length", "--hex", "list.hex", "--audit", "ok", "--objects", "struct node=2"];
    let output = scene.spelunk(&[&args[..], &["--no-replay", "--out", "out"]].concat());
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let data = scene.page_data();
    let rules = &data["summary"]["rules"];
    assert_eq!((&rules[0]["rule"], &rules[0]["line"]), (&"list(.next)* aliases nothing".into(), &1.into()));
    // Of the pointers in the two nodes: that in the first is no alias of it, that in the second of none of both.
    assert_eq!((&rules[0]["refused"], &rules[1]["refused"]), (&3.into(), &0.into()), "{rules:#}");
    let audit = &data["summary"]["audit"];
    assert_eq!(
        (&audit["valid"], &audit["invalid"], &audit["false_alarms"]),
        (&2.into(), &1.into(), &0.into()),
        "{audit:#}"
    );
    let page = scene.read("out/report.html");
    assert!(page.contains("heapsSection(),") && page.contains("function heapsSection()"));
}

#[test]
fn the_page_needs_nothing_else() {
    let scene = Scene::new();
    scene.report(&["out", "--to", "page.html"]);
    let page = scene.read("page.html");
    for loads in ["src=", "rel=\"stylesheet\"", "@import", "url(", "fetch(", "XMLHttpRequest", "import("] {
        assert!(!page.contains(loads), "{loads}");
    }
    for landmark in ["<html lang=", "<main id=\"main\"", "<nav aria-label=", "class=\"skip\""] {
        assert!(page.contains(landmark), "{landmark}");
    }
    assert_eq!(page.matches("</script>").count(), 2, "what the data says ends no script");
}

#[test]
fn a_source_that_says_script_stays_text() {
    let scene = Scene::new();
    scene.write("p.c", &format!("{PROGRAM}// </script><script>alert(1)</script> {{{{script}}}}\n"));
    scene.explore("again");
    scene.report(&["again"]);
    let page = scene.read("again/report.html");
    assert_eq!(page.matches("<script").count(), 2);
    let data = page::data(&page).expect("data in the page");
    assert!(data["files"][0]["text"].as_str().is_some_and(|text| text.contains("</script> {{script}}")));
}

#[test]
fn a_changed_source_is_shown_as_it_was() {
    let scene = Scene::new();
    scene.write("p.c", "int main(void) { return 0; }\n");
    let data = scene.page_data();
    assert_eq!(data["files"][0]["state"], "changed");
    assert_eq!(data["files"][0]["text"], PROGRAM);
    std::fs::remove_file(scene.path("p.c")).expect("a writable directory");
    assert_eq!(scene.page_data()["files"][0]["state"], "missing");
}

#[test]
fn lines_have_the_counts_of_native_runs() {
    let scene = Scene::new();
    let source = scene.path("p.c").canonicalize().expect("the source");
    scene.write("out/coverage.lcov", &format!("SF:{}\nDA:4,4\nDA:15,0\nend_of_record\n", source.display()));
    let counts: Vec<Vec<i64>> =
        scene.page_data()["files"][0]["counts"].as_array().expect("counts").iter().map(numbers).collect();
    assert_eq!(counts, [[4, 4], [15, 0]]);
}

#[test]
fn sarif_is_what_the_schema_says() {
    let scene = Scene::new();
    let log = scene.sarif();
    let mut schemas = boon::Schemas::new();
    let schema = boon::Compiler::new().compile(schema_path().to_str().expect("UTF-8"), &mut schemas).expect("a schema");
    if let Err(error) = schemas.validate(&log, schema) {
        panic!("{error:#}");
    }
    let mut wrong = log.clone();
    wrong["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(schemas.validate(&wrong, schema).is_err());

    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "abort");
    assert_eq!(run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("a rule") as usize]["id"], "abort");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "p.c");
    assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&11.into(), &5.into()));
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a code flow");
    let told: Vec<(u64, &str)> = steps
        .iter()
        .map(|step| {
            let line = &step["location"]["physicalLocation"]["region"]["startLine"];
            let text = &step["location"]["message"]["text"];
            (line.as_u64().expect("a line"), text.as_str().expect("a text"))
        })
        .collect();
    assert_eq!(told[..2], [(5, "The condition is false"), (7, "Goes to line 11")]);
}

#[test]
fn the_fingerprint_of_a_bug_survives_other_lines() {
    let scene = Scene::new();
    let fingerprint = |log: &Value| log["runs"][0]["results"][0]["partialFingerprints"].clone();
    let before = fingerprint(&scene.sarif());
    scene.write("p.c", &format!("// more\n// lines\n{PROGRAM}"));
    std::fs::remove_dir_all(scene.path("out")).expect("a writable directory");
    scene.explore("out");
    assert_eq!(fingerprint(&scene.sarif()), before);
}

#[test]
fn annotations_name_file_line_and_column() {
    let scene = Scene::new();
    let text = scene.report(&["out", "--format", "github"]);
    let (head, message) = text.trim_end().rsplit_once("::").expect("a workflow command");
    let level = head.split(' ').next().expect("a command");
    assert!(level == "::warning" || level == "::error", "{text}");
    assert_eq!(&head[level.len()..], " file=p.c,line=11,col=5,title=program aborted [abort]");
    assert!(message.contains("%0Afound by testing main, test "), "{text}");
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn a_campaign_may_print_annotations_itself() {
    let scene = Scene::new();
    let output = scene.spelunk(&["run", "p.c", "--out", "again", "--format", "github"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), scene.report(&["out", "--format", "github"]));
}

#[test]
fn campaigns_of_several_functions_are_reported_together() {
    let scene = Scene::new();
    scene.write("u.c", "int f(int *p) { return *p; }\nint g(int *p) { return p[1]; }\n");
    scene.spelunk(&["run", "u.c", "--entry", "all", "--out", "all"]);
    let written = ["all/f/report.html", "all/g/report.html", "all/report.html"];
    assert_eq!(scene.report(&["all"]).lines().collect::<Vec<_>>(), written);
    let index = scene.read("all/report.html");
    assert!(index.contains("<a href=\"f/report.html\">f</a>") && index.contains("2 functions,"), "{index}");
    assert!(index.contains("<code>u.c:2</code></a> access out of bounds in <code>g</code>"), "{index}");
    scene.refused(&["all", "--to", "one.html"], "all holds 2 campaigns, each with a page of its own");
    let log: Value = serde_json::from_str(&scene.report(&["all", "--format", "sarif", "--to", "-"])).expect("JSON");
    assert_eq!(log["runs"][0]["results"][0]["properties"]["precondition"], "p != NULL");
    // Null for both, and the second element for one.
    assert_eq!(scene.report(&["all", "--format", "github"]).lines().count(), 3);
}

#[test]
fn callers_of_internal_functions_are_named() {
    let scene = Scene::new();
    scene.write("s.c", "static int half(int *n) { return *n / 2; }\nint twice(int *n) { return 2 * half(n); }\n");
    scene.spelunk(&["run", "s.c", "--entry", "half", "--out", "half", "--no-replay"]);
    let note = "`half` is internal (static), called by `twice`: whether these pass such an input, --entry twice tells";
    let log: Value = serde_json::from_str(&scene.report(&["half", "--format", "sarif", "--to", "-"])).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert!(result["message"]["text"].as_str().is_some_and(|text| text.ends_with(note)), "{result}");
    assert_eq!(result["properties"]["callers"], serde_json::json!(["twice"]));
    assert!(scene.report(&["half", "--format", "github"]).contains(note));
    scene.report(&["half"]);
    assert!(scene.read("half/report.html").contains(note));
}

#[test]
fn of_several_campaigns_those_that_were_killed_are_reported_too() {
    let scene = Scene::new();
    scene.write("u.c", "int f(int *p) { return *p; }\nint g(int *p) { return p[1]; }\n");
    scene.spelunk(&["run", "u.c", "--entry", "all", "--out", "all", "--no-replay"]);
    std::fs::remove_file(scene.path("all/g/summary.json")).expect("a writable directory");
    let output = scene.spelunk(&["report", "all"]);
    assert_eq!(output.end, End::Exited(0));
    assert_eq!(output.stdout_text(), "all/f/report.html\nall/g/report.html\nall/report.html\n");
    let note = "note: the campaign in all/g has not ended: go on with spelunk run --resume all/g";
    assert!(output.stderr_text().contains(note), "{}", output.stderr_text());
    // Its bugs are those of its tests.
    assert!(
        scene.read("all/report.html").contains("2 functions, 4 tests; findings: 2 bugs, 1 needs a precondition"),
        "{}",
        scene.read("all/report.html")
    );
}

#[test]
fn other_campaigns_are_not_touched() {
    let scene = Scene::new();
    scene.write("u.c", "int f(int *p) { return *p; }\n");
    for out in ["some/one", "some/other", "out/inner"] {
        scene.spelunk(&["run", "u.c", "--entry", "f", "--out", out, "--no-replay"]);
    }
    std::fs::remove_file(scene.path("out/inner/summary.json")).expect("a writable directory");
    // A directory that happens to hold campaigns is none.
    scene.refused(&["some"], "some holds no campaign");
    let output = scene.spelunk(&["report", "out"]);
    assert_eq!((output.stdout_text().as_str(), output.stderr_text().as_str()), ("out/report.html\n", ""));
    assert_eq!(scene.report(&["some/one"]), "some/one/report.html\n");
    let others = ["some/report.html", "some/other/report.html", "out/inner/report.html"];
    assert!(others.iter().all(|page| !scene.path(page).exists()));
}

#[test]
fn directories_that_hold_no_campaign_are_refused() {
    let scene = Scene::new();
    scene.refused(&["nowhere"], "cannot read nowhere: No such file or directory");
    std::fs::create_dir(scene.path("empty")).expect("a writable directory");
    scene.refused(&["empty"], "empty holds no campaign");
    let summary = scene.read("out/summary.json");
    scene.write("out/summary.json", &summary.replacen("\"version\":1", "\"version\":7", 1));
    scene.refused(&["out"], "written by another version of spelunk (format 7,");
    scene.write("out/summary.json", "{\"version\":1");
    scene.refused(&["out"], "is not a file of a campaign");
}

#[test]
fn a_directory_without_a_profile_has_a_report_without_source() {
    let scene = Scene::new();
    std::fs::remove_file(scene.path("out/profile.json")).expect("a writable directory");
    let data = scene.page_data();
    assert_eq!(data["has_profile"], false);
    assert_eq!(numbers(&data["tests"]["number"]).len(), 4);
}

#[test]
fn targets_that_cannot_be_written_are_named() {
    let scene = Scene::new();
    scene.refused(&["out", "--to", "no/such/page.html"], "cannot write no/such/page.html: No such file or directory");
    scene.refused(
        &["out", "--to", "/dev/full"],
        "cannot write /dev/full: No space left on device (os error 28); free some space,",
    );
    scene.refused(&["out", "--format", "sarif", "--to", "out"], "cannot write out: Is a directory");
    assert!(!scene.path("out/report.html").exists());
}

/// The schema comes in a package that cargo downloads but never builds.
fn schema_path() -> PathBuf {
    let metadata = MetadataCommand::new().exec().expect("cargo metadata");
    let package =
        metadata.packages.iter().find(|package| package.name.as_str() == "serde-sarif").expect("in the lock file");
    package.manifest_path.parent().expect("a directory").join("src/schema.json").into()
}
