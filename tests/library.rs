//! Campaigns that were begun through the library, and go on from the command line.

use spelunk_engine::{Campaign, Deadline, Plan, Program};
use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;

/// Two ways to return and one to divide by zero, if `p` is null.
const SOURCE: &str = "int f(int *p, int x) {\n  if (p)\n    return 1;\n  if (x < 10)\n    return 0;\n  return x / (x - 12);\n}\n\
                      int g(int *p, int y) {\n  if (y == 1)\n    return 1;\n  return y == 2 ? 2 : 3;\n}\n";

/// A plan that ends after the first path.
fn plan(scene: &Scene, entry: &str) -> Plan {
    let mut plan = Plan { entry: Some(entry.into()), ..Plan::of_source("p.c") };
    plan.compile.directory = scene.dir.path().into();
    plan.unit.params = vec!["p=null".into()];
    plan.budget.paths = Some(1);
    plan.tests.are_replayed = false;
    plan
}

fn refused(scene: &Scene, args: &[&str], words: &[&str]) {
    let output = scene.run(&[&["run", "--resume", "out"], args].concat());
    assert_eq!(output.end, End::Exited(2), "{}", output.stderr_text());
    assert!(words.iter().all(|word| output.stderr_text().contains(word)), "{}", output.stderr_text());
}

#[test]
fn a_campaign_goes_on_by_its_plan() {
    let scene = Scene::new(&[("p.c", SOURCE)]);
    let plan = plan(&scene, "f");
    let program = Program::load(&plan, &Deadline::default(), &()).expect("a program");
    let campaign = Campaign::new(&plan, &program, &Deadline::default(), &());
    let ended = campaign.run(&program.subjects()[0], &scene.path("out")).expect("a campaign");
    assert_eq!(ended.summary.paths, 1);

    refused(&scene, &["--depth", "4"], &["`--depth 4` can't be changed", "through the library"]);
    let output = scene.run(&["run", "p.c", "--resume", "out", "--max-paths", "100"]);
    assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
    let summary = scene.json("out/summary.json");
    assert_eq!((&summary["paths"], &summary["exhausted"]), (&3.into(), &true.into()), "{summary}");
    // What was not said is as it was, and what was said is kept for the next time.
    assert_eq!(summary["bugs"][0]["status"], "unconfirmed", "{summary}");
    assert_eq!(scene.json("out/recipe.json")["plan"]["budget"]["paths"], 100);

    scene.change("out/recipe.json", |recipe| {
        recipe.as_object_mut().expect("an object").remove("plan").expect("a plan");
    });
    refused(&scene, &[], &["does not say how it began", "--seed-dir out"]);
}

#[test]
fn so_do_campaigns_of_several_functions_and_each_of_them() {
    let scene = Scene::new(&[("p.c", SOURCE)]);
    let plan = plan(&scene, "all");
    let program = Program::load(&plan, &Deadline::default(), &()).expect("a program");
    let campaign = Campaign::new(&plan, &program, &Deadline::default(), &());
    campaign.run_all(&scene.path("out")).expect("campaigns");
    let paths = |entry: &str| scene.json(&format!("out/{entry}/summary.json"))["paths"].clone();
    assert_eq!([paths("f"), paths("g")], [1, 1]);

    let output = scene.run(&["run", "--resume", "out/g", "--max-paths", "100"]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    assert_eq!([paths("f"), paths("g")], [1, 2]);
    let output = scene.run(&["run", "--resume", "out", "--max-paths", "100"]);
    assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
    assert_eq!([paths("f"), paths("g")], [3, 2]);
}
