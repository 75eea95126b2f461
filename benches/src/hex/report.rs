//! The tables of the experiment: the sums of each subject, as in the paper's table 2, and how invalid ends, valid ends and times are
//! spread over the targets, as in its figures 4 to 6.

use std::fmt;

use super::subjects::SUBJECTS;
use super::{Hex, Run, WAYS, Way};

impl Hex {
    fn of<'a>(&'a self, subject: &'a str, way: Way) -> impl Iterator<Item = &'a Run> + 'a {
        self.runs.iter().filter(move |run| run.subject == subject && run.way == way)
    }

    /// The runs of one way, each with that of another for the same target; both were exhausted.
    fn beside(&self, way: Way, other: Way) -> impl Iterator<Item = (&Run, &Run)> {
        let is_same = |run: &Run, it: &Run| (&run.subject, &run.target) == (&it.subject, &it.target);
        let partner = move |run: &Run| self.runs.iter().find(|it| it.way == other && is_same(run, it));
        let runs = self.runs.iter().filter(move |run| run.way == way && run.is_exhausted);
        runs.filter_map(move |run| Some((run, partner(run).filter(|it| it.is_exhausted)?)))
    }

    /// As in Markdown, so that it can be shown as it is.
    fn sums(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let titles =
            ["", "way", "exhausted", "ends", "alarms", "CPU s", "audited", "invalid", "unknown", "false alarms"];
        writeln!(f, "| {} |\n{}|", titles.join(" | "), "|---".repeat(titles.len()))?;
        for subject in &SUBJECTS {
            for way in WAYS.into_iter().filter(|&way| self.of(subject.number, way).next().is_some()) {
                let sum = |count: fn(&Run) -> u64| self.of(subject.number, way).map(count).sum::<u64>();
                let seconds: f64 = self.of(subject.number, way).map(|run| run.cpu_seconds).sum();
                let cells = [
                    subject.number.to_owned(),
                    way.name().to_owned(),
                    format!("{} of {}", sum(|run| u64::from(run.is_exhausted)), sum(|_| 1)),
                    sum(|run| run.ends).to_string(),
                    sum(|run| run.alarms).to_string(),
                    format!("{seconds:.1}"),
                    sum(|run| run.valid + run.invalid + run.unknown).to_string(),
                    sum(|run| run.invalid).to_string(),
                    sum(|run| run.unknown).to_string(),
                    sum(|run| run.false_alarms).to_string(),
                ];
                writeln!(f, "| {} |", cells.join(" | "))?;
            }
        }
        writeln!(f)
    }
}

/// How figures of the targets are spread, for each way.
pub struct Spread {
    pub name: &'static str,
    pub title: &'static str,
    /// By way, in order.
    pub values: Vec<Vec<f64>>,
}

impl Hex {
    pub fn spreads(&self) -> [Spread; 3] {
        let spread = |name, title, values: &dyn Fn(Way) -> Vec<f64>| {
            let sorted = |way: &Way| {
                let mut values = values(*way);
                values.sort_by(f64::total_cmp);
                values
            };
            Spread { name, title, values: WAYS.iter().map(sorted).collect() }
        };
        [
            spread("invalid", "invalid ends of a target", &|way| {
                self.runs.iter().filter(|run| run.way == way).map(|run| run.invalid as f64).collect()
            }),
            spread("valid", "valid ends, against Lazy (targets that both exhaust)", &|way| {
                let has_valid = |(_, lazy): &(&Run, &Run)| lazy.valid > 0;
                let ratio = |(run, lazy): (&Run, &Run)| run.valid as f64 / lazy.valid as f64;
                self.beside(way, Way::Lazy).filter(has_valid).map(ratio).collect()
            }),
            spread("time", "processor time, against HEX (targets that both exhaust)", &|way| {
                self.beside(way, Way::Hex).map(|(run, hex)| run.cpu_seconds / hex.cpu_seconds).collect()
            }),
        ]
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds;
        writeln!(
            f,
            "heaps on demand, {seconds} s of processor time a run; exhausted: nothing was left to explore within the bounds\n"
        )?;
        self.sums(f)?;
        self.spreads().iter().try_for_each(|spread| print(f, spread))
    }
}

fn print(f: &mut fmt::Formatter<'_>, spread: &Spread) -> fmt::Result {
    writeln!(f, "{}:\n", spread.title)?;
    writeln!(f, "| way | targets | least | quarter | median | three quarters | most |\n{}|", "|---".repeat(7))?;
    for (way, values) in WAYS.iter().zip(&spread.values).filter(|(_, values)| !values.is_empty()) {
        write!(f, "| {} | {} |", way.name(), values.len())?;
        (0..5).try_for_each(|quarter| write!(f, " {:.2} |", quantile(values, f64::from(quarter) / 4.0)))?;
        writeln!(f)?;
    }
    writeln!(f)
}

/// Of values in order, between the two next to it.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let at = share * (values.len() - 1) as f64;
    let (below, above) = (values[at.floor() as usize], values[at.ceil() as usize]);
    below + (above - below) * at.fract()
}
