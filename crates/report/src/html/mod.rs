//! The report of a campaign as one page of HTML that needs nothing else.
//!
//! `data` is what the page knows, as compact JSON; `tree` folds the decisions of all tests into an execution tree, and
//! `inputs` writes what tests are given. Everything that is shown is made by the scripts in `assets/js` from that, a
//! screenful at a time, so that ten thousand tests are no more work for the browser than ten. `index` leads to the pages of
//! several campaigns.

mod data;
mod index;
mod inputs;
mod lcov;
mod strings;
mod tree;

use data::Data;
pub use index::index;

use crate::markup::escaped;
use crate::suite::{Campaign, StoreError};

const PAGE: &str = include_str!("assets/page.html");

const STYLES: &[&str] = &[
    include_str!("assets/css/theme.css"),
    include_str!("assets/css/page.css"),
    include_str!("assets/css/parts.css"),
    include_str!("assets/css/views.css"),
    include_str!("assets/css/media.css"),
];

/// In the order in which they are run: all are one script.
const SCRIPTS: &[&str] = &[
    include_str!("assets/js/dom.js"),
    include_str!("assets/js/model.js"),
    include_str!("assets/js/list.js"),
    include_str!("assets/js/chart.js"),
    include_str!("assets/js/heaps.js"),
    include_str!("assets/js/partition.js"),
    include_str!("assets/js/targets.js"),
    include_str!("assets/js/overview.js"),
    include_str!("assets/js/bugs.js"),
    include_str!("assets/js/source.js"),
    include_str!("assets/js/tree.js"),
    include_str!("assets/js/time.js"),
    include_str!("assets/js/ledger.js"),
    include_str!("assets/js/tests.js"),
    include_str!("assets/js/main.js"),
];

/// The page of a campaign.
pub fn page(campaign: &Campaign) -> Result<String, StoreError> {
    let data = Data::new(campaign)?;
    let json = serde_json::to_string(&data).expect("tables of numbers and strings can be written");
    let title = format!("{} · Spelunk", campaign.summary.entry);
    let parts = [
        ("{{title}}", escaped(&title)),
        ("{{style}}", STYLES.concat()),
        // Nothing in a string may end the script that the data stands in.
        ("{{data}}", json.replace('<', "\\u003c")),
        ("{{script}}", SCRIPTS.concat()),
    ];
    Ok(filled(PAGE, &parts))
}

/// The template with each part in its place. What stands in a part is left as it is.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::with_capacity(template.len() + parts.iter().map(|(_, part)| part.len()).sum::<usize>());
    let mut rest = template;
    for (mark, part) in parts {
        let (before, after) = rest.split_once(mark).expect("the template has each mark once, in this order");
        page.push_str(before);
        page.push_str(part);
        rest = after;
    }
    page.push_str(rest);
    page
}
