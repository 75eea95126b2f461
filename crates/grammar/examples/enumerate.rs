//! How many templates a second are made: `cargo run --release -p spelunk-grammar --example enumerate -- [FILE] [N]`.

use spelunk_grammar::read::ebnf;
use spelunk_grammar::{Choices, Source, SymbolicGrammar, Templates};
use std::time::Instant;

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap_or_else(|| "examples/grammars/clike.g".to_owned());
    let most: u64 = args.next().map_or(10_000_000, |n| n.parse().expect("a number"));
    let text = std::fs::read_to_string(&file).expect("the file can be read");
    let (grammar, lexer) = ebnf::read(Source { name: &file, text: &text }).unwrap_or_else(|error| panic!("{error}"));
    let started = Instant::now();
    let symbolic = SymbolicGrammar::new(grammar, &lexer, &Choices::default()).unwrap_or_else(|error| panic!("{error}"));
    let templates = Templates::new(symbolic, None);
    println!("{} templates counted in {:.0?}", templates.len(), started.elapsed());
    let (mut n, mut n_bytes) = (0u64, 0u64);
    let mut wanted = 10_000;
    while wanted <= most {
        let started = Instant::now();
        (n, n_bytes) = (0, 0);
        for measure in 0..templates.n_measures() {
            templates.each(templates.of_measure(measure), |_, _, template| {
                n += 1;
                n_bytes += template.bytes.len() as u64;
                n < wanted
            });
            if n >= wanted {
                break;
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        println!(
            "{n} templates of {} bytes on average: {:.2} million a second, {} KiB in use",
            n_bytes / n,
            n as f64 / seconds / 1e6,
            resident()
        );
        wanted *= 10;
    }
    assert!(n > 0 && n_bytes > 0);
}

/// The most memory that the process has had, in KiB.
fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM: ? kB");
    line.split_whitespace().nth(1).unwrap_or("?").to_owned()
}
