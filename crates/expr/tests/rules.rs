//! Each rule where it applies, with what it makes, and where it does not.

mod support;

#[path = "support/rule_cases.rs"]
mod rule_cases;

use rule_cases::{APPLIES, DOES_NOT, VARS, WIDTH};
use spelunk_expr::Rule;
use support::{Bench, assert_equal_values};

#[test]
fn rules_make_what_they_say() {
    let mut failures = Vec::new();
    for case in APPLIES {
        let mut bench = Bench::new(WIDTH, None);
        bench.declare(VARS);
        let got = bench.build(case.term).expect("buildable");
        if bench.pool.rule_hits(case.rule) == 0 {
            failures.push(format!("{}: did not apply to {}", case.rule.name(), case.term));
        }
        let expected = bench.build(case.result).or_else(|| bench.build(&format!("{}:{WIDTH}", case.result)));
        let expected = expected.expect("buildable");
        if got != expected {
            failures.push(format!("{}: {} is not {}", case.rule.name(), case.term, case.result));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn rules_leave_alone_what_they_should() {
    let mut failures = Vec::new();
    for case in DOES_NOT {
        let mut bench = Bench::new(WIDTH, None);
        bench.declare(VARS);
        bench.build(case.term).expect("buildable");
        if bench.pool.rule_hits(case.rule) != 0 {
            failures.push(format!("{}: applied to {}", case.rule.name(), case.term));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn every_rule_has_both_kinds_of_cases() {
    for &rule in Rule::ALL {
        assert!(APPLIES.iter().any(|case| case.rule == rule), "{} is not shown to apply", rule.name());
        assert!(DOES_NOT.iter().any(|case| case.rule == rule), "{} is not shown not to apply", rule.name());
        assert_eq!(Rule::from_name(rule.name()), Some(rule));
    }
}

/// At the small widths under all values, at the larger ones under many.
#[test]
fn rules_keep_values_at_all_widths() {
    let terms = APPLIES.iter().map(|case| case.term).chain(DOES_NOT.iter().map(|case| case.term));
    for term in terms {
        for width in [1, 2, 3, 4, 8, 13, 32, 64, 65, 128] {
            if width > 64 && term.contains('A')
                || width > 8 && term.contains("table")
                || width > 64 && term.contains("fill")
            {
                continue;
            }
            let mut plain = Bench::new(width, Some(0));
            let mut rewritten = Bench::new(width, None);
            let (Some(expected), Some(got)) = (plain.build(term), rewritten.build(term)) else { continue };
            assert_equal_values((&plain, expected), (&rewritten, got), term);
        }
    }
}

#[test]
fn without_fuel_nothing_is_rewritten() {
    for case in APPLIES {
        let mut bench = Bench::new(WIDTH, Some(0));
        bench.build(case.term).expect("buildable");
        assert!(Rule::ALL.iter().all(|&rule| bench.pool.rule_hits(rule) == 0), "{}", case.term);
    }
}

#[test]
fn fuel_stops_at_the_given_application() {
    let term = "(add (add (add 1 x) 2) (add y 3))";
    let mut bench = Bench::new(WIDTH, None);
    bench.build(term);
    let total: u64 = Rule::ALL.iter().map(|&rule| bench.pool.rule_hits(rule)).sum();
    assert!(total >= 4, "the term is worth it");
    for fuel in 0..total {
        let mut limited = Bench::new(WIDTH, Some(fuel));
        let got = limited.build(term).expect("buildable");
        assert_eq!(Rule::ALL.iter().map(|&rule| limited.pool.rule_hits(rule)).sum::<u64>(), fuel);
        let mut plain = Bench::new(WIDTH, Some(0));
        let expected = plain.build(term).expect("buildable");
        assert_equal_values((&plain, expected), (&limited, got), term);
    }
}
