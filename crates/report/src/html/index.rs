//! The page that leads to those of several campaigns, one for each function.

use std::fmt::Write;

use super::{STYLES, filled};
use crate::markup::escaped;
use crate::suite::class::in_words;
use crate::suite::summary::{Ratio, Status};
use crate::suite::{Campaign, Class};

const PAGE: &str = include_str!("assets/index.html");

/// Links are relative to the directory that holds the campaigns.
pub fn index(title: &str, campaigns: &[Campaign]) -> String {
    let all: Vec<_> = campaigns.iter().flat_map(|campaign| campaign.summary.bugs.clone()).collect();
    let n_tests: u64 = campaigns.iter().map(|campaign| campaign.summary.tests).sum();
    let lead = format!("{} functions, {n_tests} tests; findings: {}", campaigns.len(), in_words(&all));
    let parts = [
        ("{{title}}", escaped(&format!("{title} · Spelunk"))),
        ("{{style}}", STYLES.concat()),
        ("{{heading}}", escaped(title)),
        ("{{lead}}", lead),
        ("{{functions}}", campaigns.iter().map(row).collect()),
        ("{{bugs}}", campaigns.iter().map(bugs).collect()),
    ];
    filled(PAGE, &parts)
}

/// Where the page of a campaign is.
fn link(campaign: &Campaign) -> String {
    let dir = campaign.store.dir().file_name().unwrap_or_default().to_string_lossy().into_owned();
    format!("{}/report.html", escaped(&dir))
}

fn row(campaign: &Campaign) -> String {
    let summary = &campaign.summary;
    let count = |class: Class| summary.of_class(class).count();
    let cells = [
        count(Class::Bug).to_string(),
        (count(Class::MayNotEnd) + count(Class::Resource)).to_string(),
        count(Class::NeedsPrecondition).to_string(),
        summary.paths.to_string(),
        summary.tests.to_string(),
        percent(summary.coverage.lines),
        percent(summary.coverage.branches),
    ];
    let mut row = format!("<tr><th scope=\"row\"><a href=\"{}\">{}</a></th>", link(campaign), escaped(&summary.entry));
    for cell in cells {
        write!(row, "<td class=\"right\">{cell}</td>").expect("a string grows");
    }
    writeln!(row, "<td>{}</td></tr>", escaped(&summary.stopped)).expect("a string grows");
    row
}

fn bugs(campaign: &Campaign) -> String {
    let item = |bug: &crate::suite::summary::BugEntry| {
        let status = match bug.status {
            Status::Confirmed => "",
            Status::Conditional => ", conditional",
            Status::Unconfirmed => ", not reproduced natively",
        };
        let class = match (bug.class, &bug.precondition) {
            (Class::Bug, _) => String::new(),
            (_, Some(condition)) => format!(", needs <code>{}</code>", escaped(condition)),
            (class, None) => format!(", {}", class.heading().to_lowercase()),
        };
        let place = format!("{}:{}", bug.place.file, bug.place.line);
        format!(
            "<li><a href=\"{}\"><code>{}</code></a> {} in <code>{}</code>{status}{class}</li>\n",
            link(campaign),
            escaped(&place),
            escaped(bug.title()),
            escaped(&campaign.summary.entry)
        )
    };
    let by_class = Class::ALL.into_iter().flat_map(|class| campaign.summary.of_class(class));
    by_class.map(item).collect()
}

fn percent(ratio: Ratio) -> String {
    if ratio.total == 0 {
        return "–".to_owned();
    }
    format!("{:.0} %", 100.0 * ratio.covered as f64 / ratio.total as f64)
}
