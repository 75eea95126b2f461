//! Whether a native run is in a loop for ever, as far as a run can show that: it is still in the loop after many rounds, or better,
//! in the set of states that the loop was proved never to leave.

use super::{Places, Verdict, describe, is_decisive};
use crate::findings::{Finding, Precision, Rounds, TIME_LIMIT, rounds};
use crate::run::{Outcome, ProcessEnd};

/// Rounds that say something, of runs that need long for each.
const FEWEST: u64 = 100;

pub fn verdict(places: &Places<'_>, found: &[Finding], outcome: &Outcome) -> Verdict {
    let counted =
        rounds(outcome).unwrap_or(Rounds { precision: Precision::None, all: 0, in_loop: 0, in_set: 0, left: 0 });
    let is_error = |finding: &&Finding| is_decisive(finding) && finding.what != TIME_LIMIT;
    if let Some(finding) = found.iter().find(is_error) {
        return Verdict::Unconfirmed(format!("the native run shows {} instead", describe(places, finding)));
    }
    let is_cut_off = outcome.end == ProcessEnd::Time;
    let Rounds { precision, all, in_loop, in_set, left } = counted;
    let confirmed = |how: String| Verdict::Confirmed(Some(how));
    match precision {
        Precision::States if in_set >= enough(is_cut_off) => {
            confirmed(format!("the native run was still in this set after {in_set} visits of the loop in a row"))
        }
        Precision::Counted if in_loop >= enough(is_cut_off) => confirmed(format!(
            "the native run was still in the loop after {in_loop} rounds; no set of states was compared"
        )),
        Precision::States if is_cut_off => Verdict::Unconfirmed(format!(
            "the native run does not end within two seconds, but is not in the set after {all} visits of the loop"
        )),
        _ if is_cut_off => {
            confirmed("the native run did not end within two seconds; rounds of the loop were not counted".to_owned())
        }
        Precision::None => Verdict::Unconfirmed(match outcome.end {
            ProcessEnd::Exit(status) => format!("the native run ends with status {status}"),
            ProcessEnd::Signal(signal) => format!("the native run ends by signal {signal}"),
            ProcessEnd::Time => unreachable!("it is above"),
        }),
        _ if all == 0 => Verdict::Unconfirmed("the native run ends and never comes to the loop".to_owned()),
        Precision::States if left > 0 && in_set == 0 => {
            Verdict::Unconfirmed(format!("the native run leaves the set, and ends after {all} visits of the loop"))
        }
        Precision::States if in_set == 0 => {
            Verdict::Unconfirmed(format!("the native run is never in the set, and ends after {all} visits of the loop"))
        }
        Precision::States | Precision::Counted => {
            Verdict::Unconfirmed(format!("the native run leaves the loop after {all} visits of it"))
        }
    }
}

/// Rounds that confirm: as many as the runtime waits for, if it had the time.
fn enough(is_cut_off: bool) -> u64 {
    if is_cut_off { FEWEST } else { 1_000_000 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::Symbols;
    use std::path::Path;

    fn judged(end: ProcessEnd, log: &str) -> Verdict {
        let (symbols, dir) = (Symbols::default(), Path::new("/"));
        let places = Places {
            symbols: &symbols,
            directory: dir,
            generated: dir,
            is_optimised: false,
            has_files: true,
            is_contained: true,
        };
        let outcome = Outcome { end, log: log.to_owned(), reports: String::new() };
        verdict(&places, &crate::findings::findings(&outcome), &outcome)
    }

    #[test]
    fn only_runs_that_stay_confirm() {
        let (done, time) = (ProcessEnd::Exit(0), ProcessEnd::Time);
        let confirms = [
            (done, "rounds 2 1000007 1000007 1000000 0"),
            (done, "rounds 1 1000000 1000000 0 0"),
            (time, "rounds 2 500 500 499 1"),
            (time, "rounds 1 3 3 0 0"),
            (time, ""),
        ];
        for (end, log) in confirms {
            assert!(matches!(judged(end, log), Verdict::Confirmed(Some(_))), "{end:?} {log}");
        }
        let contradicts = [
            (done, "rounds 2 5 5 0 1", "leaves the set"),
            (done, "rounds 2 5 5 0 0", "never in the set"),
            (done, "rounds 2 5 5 3 0", "leaves the loop after 5"),
            (done, "rounds 1 999999 999999 0 0", "leaves the loop after 999999"),
            (done, "rounds 1 0 0 0 0", "never comes to the loop"),
            (time, "rounds 2 5000000 5000000 0 9", "not in the set"),
            (done, "rounds 0 0 0 0 0", "ends with status 0"),
            (ProcessEnd::Signal(6), "rounds 1 2 2 0 0\nabort 0x12", "shows abort instead"),
        ];
        for (end, log, words) in contradicts {
            let Verdict::Unconfirmed(reason) = judged(end, log) else { panic!("{log} confirms") };
            assert!(reason.contains(words), "{reason}");
        }
    }
}
