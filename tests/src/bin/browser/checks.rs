//! What must hold of the page.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cdp::{Browser, CdpError};

/// Two campaigns: one of a function with a bug, one with ten thousand tests.
pub struct Pages {
    pub bug: PathBuf,
    pub large: PathBuf,
}

const VIEWS: &[&str] = &["overview", "bugs", "source", "tree", "time", "ledger", "tests"];
const THEMES: &[&str] = &["light", "dark"];

/// Measures the contrast of every text against what is behind it: those below what WCAG 2 asks for.
const LOW_CONTRAST: &str = include_str!("contrast.js");

type Check = fn(&mut Browser, &Pages) -> Result<(), CheckError>;

#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error(transparent)]
    Cdp(#[from] CdpError),
    #[error("{what}: {found}")]
    Failed { what: String, found: Value },
}

/// Makes every check, says how it went, and returns how many failed.
pub fn run(browser: &mut Browser, pages: &Pages) -> Result<usize, CdpError> {
    let checks: &[(&str, Check)] = &[
        ("links lead from a bug to its line", bug_to_source),
        ("a bug has its picture", bug_picture),
        ("the tree opens and closes by keys", tree_keys),
        ("tests are searched, sorted and looked at", find_tests),
        ("ten thousand tests need few elements", few_elements),
        ("a chart tells its values", chart_reading),
        ("the theme can be chosen", theme),
        ("texts have contrast", contrast),
        ("narrow windows need no sideways scrolling", narrow),
        ("everything has a name and a place", names),
        ("those who want no motion get none", no_motion),
    ];
    let mut n_failed = 0;
    for (name, check) in checks {
        browser.resize(1360, 900)?;
        browser.prefer(&[("prefers-color-scheme", "light")])?;
        let mut result = check(browser, pages);
        let exceptions = std::mem::take(&mut browser.exceptions);
        if result.is_ok() && !exceptions.is_empty() {
            result = Err(CheckError::Failed { what: "exceptions".to_owned(), found: json!(exceptions) });
        }
        match result {
            Ok(()) => println!("ok      {name}"),
            Err(error) => {
                n_failed += 1;
                println!("FAILED  {name}: {error}");
            }
        }
    }
    Ok(n_failed)
}

/// The expression must be true; `told` is shown if it isn't.
fn expect(browser: &mut Browser, condition: &str, told: &str) -> Result<(), CheckError> {
    if browser.eval(condition)? == true {
        return Ok(());
    }
    let found = browser.eval(told)?;
    Err(CheckError::Failed { what: condition.to_owned(), found })
}

fn bug_to_source(browser: &mut Browser, pages: &Pages) -> Result<(), CheckError> {
    browser.open(&pages.bug, "overview")?;
    browser.click("#nav a[href='#/bugs']")?;
    expect(browser, "document.querySelector('h1').textContent === 'Findings'", "document.title")?;
    expect(browser, "document.activeElement.id === 'main'", "document.activeElement.outerHTML.slice(0, 80)")?;
    browser.click("article a[href^='#/source/']")?;
    let row = "document.querySelector('.row.active')";
    expect(browser, &format!("{row}.textContent.includes('p = p->next')"), "location.hash")?;
    expect(browser, &format!("{row}.querySelector('.tag.bad') !== null"), "location.hash")
}

fn bug_picture(browser: &mut Browser, pages: &Pages) -> Result<(), CheckError> {
    browser.open(&pages.bug, "bugs/0")?;
    let picture = "document.querySelector('.picture-frame svg')";
    expect(browser, &format!("{picture}.textContent.includes('struct dnode')"), "document.body.textContent")?;
    expect(browser, &format!("{picture}.getAttribute('aria-label').includes('head = → #')"), "1")?;
    expect(browser, "document.querySelector('.src.here').textContent.includes('p->next')", "1")
}

fn tree_keys(browser: &mut Browser, pages: &Pages) -> Result<(), CheckError> {
    browser.open(&pages.bug, "tree")?;
    browser.eval("document.querySelector('[role=tree]').focus()")?;
    let active = "document.getElementById(document.querySelector('[role=tree]').getAttribute('aria-activedescendant'))";
    let is_at = |level: u32, expanded: bool| {
        format!(
            "{active}.getAttribute('aria-level') === '{level}' && {active}.getAttribute('aria-expanded') === '{expanded}'"
        )
    };
    let shown = format!("{active}.outerHTML");
    browser.press("Home")?;
    expect(browser, &is_at(1, true), &shown)?;
    let before = browser.eval(&format!("+{active}.getAttribute('aria-setsize')"))?;
    browser.press("ArrowLeft")?;
    expect(browser, &is_at(1, false), &shown)?;
    expect(browser, &format!("{active}.getAttribute('aria-setsize') === '1'"), &shown)?;
    browser.press("ArrowRight")?;
    expect(browser, &format!("+{active}.getAttribute('aria-setsize') === {before}"), &shown)?;
    browser.press("ArrowRight")?;
    expect(browser, &is_at(2, false), &shown)?;
    browser.press("ArrowLeft")?;
    expect(browser, &is_at(1, true), &shown)
}

fn find_tests(browser: &mut Browser, pages: &Pages) -> Result<(), CheckError> {
    browser.open(&pages.bug, "tests")?;
    browser.click("input[type=search]")?;
    browser.type_text("use-after-free")?;
    let rows = "[...document.querySelectorAll('.test-row')]";
    expect(browser, &format!("{rows}.length === 10"), &format!("{rows}.length"))?;
    expect(browser, &format!("{rows}.every((row) => row.textContent.includes('use-after-free'))"), "1")?;
    browser.eval("document.querySelector('input[type=search]').value = ''; document.querySelector('input[type=search]').dispatchEvent(new Event('input'))")?;
    browser.eval("const order = document.querySelector('select[aria-label=Order]'); order.value = 'most decisions first'; order.dispatchEvent(new Event('change'))")?;
    browser.settle()?;
    let decisions = format!("{rows}.map((row) => parseInt(row.querySelector('.figures').textContent))");
    expect(browser, &format!("{decisions}.every((n, at, all) => !at || all[at - 1] >= n)"), &decisions)?;
    browser.click(".row:nth-child(2)")?;
    expect(
        browser,
        "location.hash.startsWith('#/tests/') && document.querySelector('.detail h2').textContent.startsWith('Test ' + location.hash.slice(8))",
        "location.hash",
    )
}

fn few_elements(browser: &mut Browser, pages: &Pages) -> Result<(), CheckError> {
    browser.open(&pages.large, "tests")?;
    let loaded = browser.eval("performance.getEntriesByType('navigation')[0].loadEventEnd")?;
    let size = fs::metadata(&pages.large).map_or(0, |file| file.len());
    println!("        10 000 tests: {} KB, loaded in {loaded} ms", size / 1000);
    for view in VIEWS {
        browser.open(&pages.large, view)?;
        expect(browser, "document.querySelectorAll('*').length < 2500", "document.querySelectorAll('*').length")?;
    }
    browser.eval("document.querySelector('[role=listbox]').focus()")?;
    browser.press("End")?;
    let active =
        "document.getElementById(document.querySelector('[role=listbox]').getAttribute('aria-activedescendant'))";
    expect(browser, &format!("{active}.getAttribute('aria-posinset') === '10000'"), "1")?;
    expect(browser, &format!("{active}.getBoundingClientRect().bottom <= innerHeight"), "1")?;
    browser.press("Enter")?;
    expect(browser, "document.querySelector('.detail h2').textContent.startsWith('Test 10000')", "location.hash")?;
    browser.click("input[type=search]")?;
    let start = browser.eval("performance.now()")?;
    browser.type_text("zebra")?;
    let took = browser.eval(&format!("performance.now() - {start}"))?;
    println!("        a search that finds nothing took {took} ms");
    expect(browser, "document.querySelector('h1 + p').textContent.startsWith('0 of 10')", "1")
}

fn chart_reading(browser: &mut Browser, pages: &Pages) -> Result<(), CheckError> {
    browser.open(&pages.large, "time")?;
    expect(browser, "document.querySelectorAll('svg.chart').length === 4", "1")?;
    expect(
        browser,
        "document.querySelectorAll('svg.chart')[1].getAttribute('aria-label').includes('paths from 0 to 10')",
        "1",
    )?;
    let place = browser.eval("(() => { const chart = document.querySelector('svg.chart'); chart.scrollIntoView(); const box = chart.getBoundingClientRect(); return [box.x + box.width * 0.9, box.y + box.height / 2]; })()")?;
    browser.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": place[0], "y": place[1] }))?;
    browser.settle()?;
    expect(
        browser,
        "/100.% lines/.test(document.querySelector('.reading').textContent)",
        "document.querySelector('.reading').textContent",
    )
}

fn theme(browser: &mut Browser, pages: &Pages) -> Result<(), CheckError> {
    browser.open(&pages.bug, "bugs/0")?;
    let paper = "getComputedStyle(document.body).backgroundColor";
    let light = browser.eval(paper)?;
    browser.prefer(&[("prefers-color-scheme", "dark")])?;
    let dark = browser.eval(paper)?;
    expect(browser, &format!("{light} !== {dark}"), paper)?;
    browser.click("#theme")?;
    expect(browser, &format!("{paper} === {light}"), paper)?;
    browser.click("#theme")?;
    browser.prefer(&[("prefers-color-scheme", "light")])?;
    expect(browser, &format!("{paper} === {dark}"), paper)?;
    browser.click("#theme")?;
    expect(browser, &format!("{paper} === {light}"), paper)
}

fn contrast(browser: &mut Browser, pages: &Pages) -> Result<(), CheckError> {
    for theme in THEMES {
        browser.prefer(&[("prefers-color-scheme", theme), ("prefers-reduced-motion", "reduce")])?;
        for page in [&pages.bug, &pages.large] {
            for view in VIEWS {
                browser.open(page, view)?;
                let low = browser.eval(LOW_CONTRAST)?;
                if low != json!([]) {
                    return Err(CheckError::Failed { what: format!("{view}, {theme}"), found: low });
                }
            }
        }
    }
    Ok(())
}

fn narrow(browser: &mut Browser, pages: &Pages) -> Result<(), CheckError> {
    browser.resize(390, 800)?;
    for view in VIEWS {
        browser.open(&pages.bug, view)?;
        expect(
            browser,
            "document.documentElement.scrollWidth <= innerWidth",
            "[location.hash, document.documentElement.scrollWidth]",
        )?;
    }
    Ok(())
}

/// As those see the page who don't see it: by the browser's accessibility tree.
fn names(browser: &mut Browser, pages: &Pages) -> Result<(), CheckError> {
    const NAMED: &[&str] =
        &["button", "link", "combobox", "searchbox", "listbox", "tree", "list", "img", "image", "table"];
    for view in VIEWS {
        browser.open(&pages.bug, view)?;
        expect(browser, "document.querySelectorAll('h1').length === 1", "location.hash")?;
        let tree = browser.call("Accessibility.getFullAXTree", json!({}))?;
        let nameless: Vec<&Value> = tree["nodes"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|node| node["ignored"] != true)
            .filter(|node| NAMED.iter().any(|&role| node["role"]["value"] == role) && node["role"]["value"] != "list")
            .filter(|node| node["name"]["value"].as_str().is_none_or(str::is_empty))
            .collect();
        if !nameless.is_empty() {
            return Err(CheckError::Failed { what: format!("names in {view}"), found: json!(nameless[0]) });
        }
        let skipped = "[...document.querySelectorAll('main h1, main h2, main h3')].map((h) => +h.tagName[1]).every((level, at, all) => !at || level <= all[at - 1] + 1)";
        expect(browser, skipped, "location.hash")?;
    }
    Ok(())
}

fn no_motion(browser: &mut Browser, pages: &Pages) -> Result<(), CheckError> {
    browser.prefer(&[("prefers-reduced-motion", "reduce")])?;
    browser.open(&pages.bug, "overview")?;
    expect(
        browser,
        "[...document.querySelectorAll('*')].every((element) => getComputedStyle(element).transitionDuration === '0s')",
        "1",
    )
}

/// Pictures of all views, for people to look at.
pub fn screenshots(browser: &mut Browser, pages: &Pages, to: &Path) -> Result<(), CdpError> {
    fs::create_dir_all(to)?;
    for (width, size) in [(1360, "wide"), (390, "narrow")] {
        browser.resize(width, 900)?;
        for theme in THEMES {
            browser.prefer(&[("prefers-color-scheme", theme)])?;
            for (name, page) in [("bug", &pages.bug), ("large", &pages.large)] {
                for view in VIEWS {
                    browser.open(page, view)?;
                    fs::write(to.join(format!("{name}-{view}-{theme}-{size}.png")), browser.screenshot()?)?;
                }
            }
        }
    }
    Ok(())
}
