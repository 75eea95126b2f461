//! `spelunk grammar`, and what `spelunk run` is told of grammars.

use clap::{Args, ValueEnum};
use spelunk_engine::texts::templates;
use spelunk_grammar::{Count, Leaf, Templates};
use spelunk_report::suite::{TextInput, TextSetup};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What is said of the texts of grammars.
#[derive(Args, Debug, Default)]
pub struct TextArgs {
    /// The flex file of a yacc grammar; may be repeated, one for each grammar
    #[arg(long, value_name = "FILE")]
    pub lexer: Vec<PathBuf>,

    /// Words of a token, as a regular expression; may be repeated
    #[arg(long = "token", value_name = "NAME=PATTERN")]
    pub tokens: Vec<String>,

    /// Texts of derivations with at most N productions; each byte by which a hole is longer than it has to be counts as one more
    #[arg(long, value_name = "N", group = "measure")]
    pub max_size: Option<u64>,

    /// Texts of at most N bytes, without separators
    #[arg(long, value_name = "N", group = "measure")]
    pub max_length: Option<u64>,

    /// Texts whose derivation tree has at most this height
    #[arg(long, value_name = "N", group = "measure")]
    pub max_height: Option<u64>,

    /// The longest word of a hole, or of holes of a token; may be repeated [default: 4]
    #[arg(long, value_name = "[TOKEN=]N")]
    pub hole_max: Vec<String>,

    /// Make a token a hole that has only one word; may be repeated
    #[arg(long = "hole", value_name = "TOKEN")]
    pub holes: Vec<String>,

    /// Write out the words of a token instead of leaving a hole; may be repeated
    #[arg(long, value_name = "TOKEN")]
    pub fixed: Vec<String>,

    /// What holes may contain
    #[arg(long = "holes", value_name = "WHAT", default_value = "words")]
    pub content: HoleContent,

    /// Keep tokens apart that can be exchanged for each other, and would be one hole
    #[arg(long)]
    pub split_holes: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HoleContent {
    /// Words of their token
    #[default]
    Words,
    /// Any bytes: to test the lexer
    Free,
}

impl TextArgs {
    pub fn is_bounded(&self) -> bool {
        self.max_size.or(self.max_length).or(self.max_height).is_some()
    }

    /// What is said of one grammar, by its number among several.
    pub fn setup(&self, number: usize, input: TextInput, grammar: &Path) -> Result<TextSetup, String> {
        let lexer = self.lexer.get(number).map(|path| read(path)).transpose()?;
        let (measure, max) = match (self.max_length, self.max_height) {
            (Some(max), _) => ("length", Some(max)),
            (_, Some(max)) => ("height", Some(max)),
            _ => ("size", self.max_size),
        };
        let (mut hole_max, mut hole_max_of) = (4, Vec::new());
        for said in &self.hole_max {
            let (token, n) = said.split_once('=').map_or((None, said.as_str()), |(token, n)| (Some(token), n));
            let n = n.parse().map_err(|_| format!("`{n}` is not a number of bytes"))?;
            match token {
                Some(token) => hole_max_of.push((token.to_owned(), n)),
                None => hole_max = n,
            }
        }
        Ok(TextSetup {
            input,
            grammar: read(grammar)?,
            lexer,
            tokens: self.tokens.clone(),
            measure: measure.to_owned(),
            max,
            hole_max,
            hole_max_of,
            holes: self.holes.clone(),
            fixed: self.fixed.clone(),
            split_holes: self.split_holes,
            free_holes: self.content == HoleContent::Free,
            max_templates: None,
        })
    }
}

fn read(path: &Path) -> Result<(String, String), String> {
    match std::fs::read(path) {
        Ok(bytes) => Ok((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) => Err(format!("cannot read {}: {error}", path.display())),
    }
}

#[derive(Args, Debug)]
pub struct GrammarArgs {
    /// The grammar: yacc or bison if its name ends in .y, otherwise in the format of docs/grammars.md
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub texts: TextArgs,

    /// How many measures to count
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub rows: usize,

    /// Print so many texts, one a line, and nothing else
    #[arg(long, value_name = "N")]
    pub emit: Option<u64>,

    /// Emit texts at random, of templates that are all as likely, instead of the smallest
    #[arg(long, value_name = "SEED", requires = "emit")]
    pub random: Option<u64>,

    /// Write the texts to files in this directory instead
    #[arg(long, value_name = "DIR", requires = "emit")]
    pub to: Option<PathBuf>,

    /// Print the tokens that are no holes as a dictionary for fuzzers, and nothing else
    #[arg(long, conflicts_with = "emit")]
    pub dictionary: bool,
}

pub fn grammar(args: &GrammarArgs) -> u8 {
    let shown = args.texts.setup(0, TextInput::Stdin, &args.file).map_err(|error| format!("error: {error}"));
    let shown = shown.and_then(|setup| {
        let templates = templates(&setup).map_err(|error| error.to_string())?;
        Ok(match args.emit {
            Some(n) => write_texts(&texts(&templates, n, args.random), args.to.as_deref())?,
            None if args.dictionary => dictionary(&templates),
            None => described(&setup, &templates, args.rows),
        })
    });
    match shown {
        Ok(text) => {
            anstream::print!("{text}");
            0
        }
        Err(error) => {
            anstream::eprintln!("{error}");
            2
        }
    }
}

/// As AFL and libFuzzer read it.
fn dictionary(templates: &Templates) -> String {
    let words = templates.symbolic.leaves.iter().filter_map(|leaf| match leaf {
        Leaf::Fixed(word) => Some(word),
        Leaf::Hole { .. } => None,
    });
    let escaped = |&byte: &u8| match byte {
        b'"' | b'\\' => format!("\\{}", byte as char),
        b' '..=b'~' => (byte as char).to_string(),
        _ => format!("\\x{byte:02X}"),
    };
    let line = |word: &Vec<u8>| format!("\"{}\"\n", word.iter().map(escaped).collect::<String>());
    words.map(line).collect()
}

/// So many texts: the smallest, with the first words in their holes, or any.
fn texts(templates: &Templates, n: u64, random: Option<u64>) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    if let Some(seed) = random {
        let mut random = fastrand::Rng::with_seed(seed);
        // Some numbers may be of templates that come again under another.
        let is_left = |texts: &Vec<Vec<u8>>, tries: u64| (texts.len() as u64) < n && tries < 100 * n;
        let mut tries = 0;
        while is_left(&texts, tries) && !templates.is_empty() {
            let number = random.u64(..templates.len());
            templates.each(number..number + 1, |_, _, template| {
                texts.push(template.fill_at_random(&templates.symbolic, &mut |below| random.usize(..below)));
                false
            });
            tries += 1;
        }
        return texts;
    }
    for measure in 0..templates.n_measures() {
        templates.each(templates.of_measure(measure), |_, _, template| {
            if (texts.len() as u64) < n {
                texts.push(template.fill(&templates.symbolic, &[]));
            }
            (texts.len() as u64) < n
        });
    }
    texts
}

/// One a line, or one a file; returns what to print.
fn write_texts(texts: &[Vec<u8>], to: Option<&Path>) -> Result<String, String> {
    let Some(to) = to else {
        return Ok(texts.iter().map(|text| format!("{}\n", text.escape_ascii())).collect());
    };
    let wrong = |error: std::io::Error| format!("error: cannot write to {}: {error}", to.display());
    std::fs::create_dir_all(to).map_err(wrong)?;
    for (number, text) in texts.iter().enumerate() {
        std::fs::write(to.join(format!("{number:06}")), text).map_err(wrong)?;
    }
    Ok(format!("{} texts in {}\n", texts.len(), to.display()))
}

fn described(setup: &TextSetup, templates: &Templates, rows: usize) -> String {
    let symbolic = &templates.symbolic;
    let grammar = &symbolic.grammar;
    let mut text = String::new();
    let mut add = |line: String| writeln!(text, "{line}").expect("strings take any text");
    for diagnostic in symbolic.notes.iter().chain(&templates.lints()) {
        add(diagnostic.to_string());
    }
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let ambiguous = match (symbolic.may_repeat, grammar.is_yacc) {
        (true, _) => ", ambiguous: each text is made once",
        (false, true) if symbolic.n_conflicts > 0 => ", conflicts resolved as yacc does",
        _ => "",
    };
    add(format!("{}: {}{ambiguous}", setup.grammar.0, plural(grammar.productions.len(), "production")));
    let is_hole = |token: u32| {
        let is_hole = |it: &(u32, &Leaf)| matches!(it.1, Leaf::Hole { .. }) && symbolic.token(it.0) == token;
        (0..).zip(&symbolic.leaves).any(|it| is_hole(&it))
    };
    let used: Vec<u32> = (0..grammar.tokens.len() as u32).filter(|&token| symbolic.has_words(token)).collect();
    let holes: Vec<&str> =
        used.iter().filter(|&&token| is_hole(token)).map(|&token| grammar.tokens[token as usize].as_str()).collect();
    let mut tokens = format!("{}: {} fixed", plural(used.len(), "token"), used.len() - holes.len());
    if !holes.is_empty() {
        tokens += &format!("; holes {}", holes.join(", "));
    }
    for merged in &symbolic.merged {
        tokens += &format!("; {} are one hole", merged.join(" and "));
    }
    add(tokens);
    let texts = templates.texts();
    let first = (0..templates.n_measures()).find(|&m| !templates.of_measure(m).is_empty()).unwrap_or(0);
    let shown: Vec<usize> = (first..templates.n_measures()).take(rows).collect();
    let n_templates = |m: usize| {
        let range = templates.of_measure(m);
        range.end - range.start
    };
    let columns: Vec<[String; 3]> =
        shown.iter().map(|&m| [m.to_string(), n_templates(m).to_string(), number(texts[m])]).collect();
    for (line, name) in [setup.measure.as_str(), if symbolic.may_repeat { "at most" } else { "templates" }, "texts"]
        .into_iter()
        .enumerate()
    {
        let cells = columns.iter().map(|column| {
            let width = column.iter().map(String::len).max().unwrap_or(0);
            format!("{:>width$}", column[line])
        });
        add(format!("{name:<10} {}", cells.collect::<Vec<_>>().join("  ")));
    }
    add("examples:".to_owned());
    let mut left = 8;
    for &m in &shown {
        let mut of_measure = 2;
        templates.each(templates.of_measure(m), |_, _, template| {
            add(format!("  {}", template.marked(&template.fill(symbolic, &[]))));
            (left, of_measure) = (left - 1, of_measure - 1);
            left > 0 && of_measure > 0
        });
        if left == 0 {
            break;
        }
    }
    text
}

/// A number that people can read.
fn number(n: Count) -> String {
    if n < 10_000_000_000 { n.to_string() } else { format!("{:.3e}", n as f64) }
}
