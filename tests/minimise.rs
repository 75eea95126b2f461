//! Fewer tests that cover the same, and smaller inputs that show the same bugs.

use serde_json::{Value, json};
use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;

/// Many paths, few lines; and a bug that needs two elements, a number above 1000 and a string of three characters.
const SOURCE: &str = r#"
    struct node { int key; struct node *next; };

    int classify(int a, int b, int c, int d) {
      int n = 0;
      if ((a > 0 && b > 0) || c > 5)
        n += 1;
      if (d == 3)
        n += 2;
      if (b == 77)
        n += 4;
      return n;
    }

    int divide(struct node *n, struct node *m, int a, const char *s) {
      if (!n || !n->next)
        return m ? 1 : 0;
      if (a > 1000 && s[0] && s[1] && s[2])
        return a / (n->key - n->key);
      return a < -5;
    }
"#;

fn scene() -> Scene {
    Scene::new(&[("m.c", SOURCE)])
}

fn run(scene: &Scene, args: &[&str]) -> Value {
    let output = scene.run(&[&["run", "m.c", "--out", "out"], args].concat());
    assert!(matches!(output.end, End::Exited(0 | 1 | 4..=6)), "{}", output.stderr_text());
    scene.json("out/summary.json")
}

/// Minimises into another directory, and returns the account there.
fn minimise(scene: &Scene, keep: &str) -> Value {
    let output = scene.run(&["minimise", "out", "--keep", keep, "--out", keep]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let summary = scene.json(&format!("{keep}/summary.json"));
    assert_eq!(summary["tests"].as_u64(), Some(scene.tests(keep).len() as u64));
    assert_eq!(summary["replay"]["mismatches"], json!([]), "{summary}");
    summary
}

#[test]
fn fewer_tests_cover_the_same() {
    let scene = scene();
    let all = run(&scene, &["--entry", "classify"]);
    let n_all = all["tests"].as_u64().expect("a number");
    let mut counts = vec![n_all];
    for keep in ["mcdc", "branches", "lines"] {
        let kept = minimise(&scene, keep);
        let (before, after) = (&all["coverage"]["native"], &kept["coverage"]["native"]);
        assert_eq!(before["lines"], after["lines"], "{keep}: {kept}");
        if keep != "lines" {
            assert_eq!(before["branches"], after["branches"], "{keep}: {kept}");
            assert_eq!(kept["kept"]["branches"], all["coverage"]["branches"]);
        }
        if keep == "mcdc" {
            assert_eq!(before["mcdc"], after["mcdc"], "{kept}");
        }
        assert_eq!((&kept["kept"]["what"], &kept["kept"]["of"]), (&json!(keep), &json!(n_all)));
        counts.push(kept["tests"].as_u64().expect("a number"));
    }
    assert!(counts.is_sorted_by(|more, fewer| more >= fewer) && counts[1] < n_all, "{counts:?}");
    assert!(*counts.last().expect("a count") <= 2, "one or two tests reach every line: {counts:?}");
    // Nothing has happened to the campaign itself.
    assert_eq!(scene.json("out/summary.json"), all);
    assert_eq!(scene.tests("out").len() as u64, n_all);
}

/// Of many paths, only those become tests that cover something new, and those of findings.
#[test]
fn tests_that_cover_nothing_new_are_not_kept() {
    let all = run(&scene(), &["--entry", "classify"]);
    let scene = scene();
    let kept = run(&scene, &["--entry", "classify", "--keep", "coverage"]);
    assert_eq!(kept["paths"], all["paths"], "{kept}");
    assert!(kept["tests"].as_u64() < all["tests"].as_u64(), "{kept}");
    assert_eq!(kept["tests"].as_u64(), Some(scene.tests("out").len() as u64));
    let native = |summary: &Value| {
        (summary["coverage"]["native"]["lines"].clone(), summary["coverage"]["native"]["branches"].clone())
    };
    assert_eq!(native(&kept), native(&all));
    assert_eq!(kept["replay"]["mismatches"], json!([]), "{kept}");

    let scene = self::scene();
    let found = run(&scene, &["--entry", "divide", "--keep", "findings"]);
    let n_found = found["bugs"].as_array().map(Vec::len);
    assert_eq!((found["tests"].as_u64(), n_found), (Some(1), Some(1)), "{found}");
    assert_eq!(found["bugs"][0]["status"], "confirmed", "{found}");
    assert_eq!(scene.tests("out")[0]["end"]["bug"], "div-by-zero");
}

#[test]
fn a_campaign_can_be_minimised_where_it_is() {
    let scene = scene();
    let all = run(&scene, &["--entry", "divide"]);
    let output = scene.run(&["minimise", "out", "--keep", "lines"]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let kept = scene.json("out/summary.json");
    assert!(kept["tests"].as_u64() < all["tests"].as_u64());
    assert_eq!(kept["tests"].as_u64(), Some(scene.tests("out").len() as u64));
    assert_eq!(kept["bugs"][0]["status"], "confirmed", "{kept}");
    let test = scene.json(&format!("out/tests/{:06}.json", kept["bugs"][0]["test"].as_u64().expect("a number")));
    assert_eq!(test["end"]["bug"], kept["bugs"][0]["kind"], "{test}");
    let output = scene.run(&["replay", "out"]);
    assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
}

#[test]
fn a_campaign_may_keep_few_tests_from_the_start() {
    let scene = scene();
    let summary = run(&scene, &["--entry", "classify", "--keep", "branches"]);
    assert_eq!(summary["tests"].as_u64(), Some(scene.tests("out").len() as u64));
    assert!(summary["tests"].as_u64() < summary["paths"].as_u64(), "{summary}");
    assert_eq!(summary["kept"]["of"], summary["paths"]);
    assert_eq!(summary["kept"]["branches"], summary["coverage"]["branches"]);
}

#[test]
fn the_input_of_a_bug_is_the_smallest() {
    let scene = scene();
    let summary = run(&scene, &["--entry", "divide", "--seed", "5"]);
    let bug = summary["bugs"].as_array().expect("bugs").iter().find(|bug| bug["kind"] == "div-by-zero");
    let bug = bug.expect("the division");
    assert_eq!(bug["status"], "confirmed", "{summary}");
    let test = scene.json(&format!("out/tests/{:06}.json", bug["test"].as_u64().expect("a number")));
    let bytes = |name: &str| {
        let objects = test["input"].as_array().expect("objects");
        let object = objects.iter().find(|object| object["name"] == name);
        object.unwrap_or_else(|| panic!("no {name} in {test}"))["bytes"].as_str().expect("bytes").to_owned()
    };
    assert_eq!(bytes("a"), "e9030000", "1001: {test}");
    assert_eq!(&bytes("*s")[6..], "0000000000", "three characters: {test}");
    assert_eq!(test["input"].as_array().expect("objects").len(), 7, "four parameters, two elements, a string: {test}");
    assert_eq!(bytes("*n->next"), "00".repeat(16));
    let is_faulty = |test: &Value| test["end"]["bug"] == "div-by-zero";
    let n_faulty = scene.tests("out").iter().filter(|test| is_faulty(test)).count();
    assert_eq!(n_faulty, 1, "it has taken the place of its path's test");
    let path = format!("out/tests/{:06}.json", bug["test"].as_u64().expect("a number"));
    let output = scene.run(&["exec", "m.c", "--test", &path]);
    assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
}

#[test]
fn what_is_no_campaign_is_refused() {
    let scene = scene();
    let refused = |args: &[&str], what: &str| {
        let output = scene.run(args);
        assert_eq!(output.end, End::Exited(2), "{}", output.stderr_text());
        assert!(output.stderr_text().contains(what), "{}", output.stderr_text());
    };
    refused(&["minimise", "nowhere"], "nowhere holds no campaign");
    run(&scene, &["--entry", "classify", "--max-paths", "5"]);
    refused(&["minimise", "out", "--out", "out"], "holds a campaign already");
    refused(&["minimise", "out", "--keep", "everything"], "invalid value");
    let summary = scene.json("out/summary.json");
    assert_eq!(summary["tests"], 5);
    std::fs::remove_file(scene.path("out/summary.json")).expect("a file");
    refused(&["minimise", "out"], "has not ended");
    std::fs::write(scene.path("out/summary.json"), summary.to_string()).expect("a writable directory");
    std::fs::write(scene.path("m.c"), SOURCE.replace("a > 0", "a < 9")).expect("a writable directory");
    refused(&["minimise", "out"], "does not take its path");
}
