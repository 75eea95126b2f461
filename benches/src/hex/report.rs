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
        let is_same = |run: &Run, it: &Run| (run.subject, &run.target) == (it.subject, &it.target);
        let partner = move |run: &Run| self.runs.iter().find(|it| it.way == other && is_same(run, it));
        let runs = self.runs.iter().filter(move |run| run.way == way && run.is_exhausted);
        runs.filter_map(move |run| Some((run, partner(run).filter(|it| it.is_exhausted)?)))
    }

    fn sums(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let titles = ["", "", "targets", "done", "ends", "invalid", "unknown", "alarms", "false", "CPU s"];
        write!(f, "{:<4}{:<7}", titles[0], titles[1])?;
        titles[2..].iter().try_for_each(|title| write!(f, "{title:>9}"))?;
        writeln!(f)?;
        for subject in &SUBJECTS {
            for way in WAYS {
                let sum = |count: fn(&Run) -> u64| self.of(subject.number, way).map(count).sum::<u64>();
                write!(f, "{:<4}{:<7}", subject.number, way.name())?;
                let counts = [
                    sum(|_| 1),
                    sum(|run| u64::from(run.is_exhausted)),
                    sum(|run| run.ends),
                    sum(|run| run.invalid),
                    sum(|run| run.unknown),
                    sum(|run| run.alarms),
                    sum(|run| run.false_alarms),
                ];
                counts.iter().try_for_each(|count| write!(f, "{count:>9}"))?;
                writeln!(f, "{:>9.2}", self.of(subject.number, way).map(|run| run.cpu_seconds).sum::<f64>())?;
            }
        }
        Ok(())
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
            "heaps on demand, {seconds} s of processor time a run; done: nothing was left to explore within the bounds"
        )?;
        self.sums(f)?;
        self.spreads().iter().try_for_each(|spread| print(f, spread))
    }
}

fn print(f: &mut fmt::Formatter<'_>, spread: &Spread) -> fmt::Result {
    let titles = ["targets", "least", "quarter", "median", "3/4", "most"];
    write!(f, "{}\n{:<11}", spread.title, "")?;
    titles.iter().try_for_each(|title| write!(f, "{title:>9}"))?;
    writeln!(f)?;
    for (way, values) in WAYS.iter().zip(&spread.values) {
        write!(f, "    {:<7}{:>9}", way.name(), values.len())?;
        if !values.is_empty() {
            (0..5).try_for_each(|quarter| write!(f, "{:>9.2}", quantile(values, f64::from(quarter) / 4.0)))?;
        }
        writeln!(f)?;
    }
    Ok(())
}

/// Of values in order, between the two next to it.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let at = share * (values.len() - 1) as f64;
    let (below, above) = (values[at.floor() as usize], values[at.ceil() as usize]);
    below + (above - below) * at.fract()
}
