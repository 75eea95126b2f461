//! Random grammars against a parser that tries everything.

use proptest::prelude::*;
use spelunk_grammar::model::{LexAction, LexRule, Lexer, Production, Symbol};
use spelunk_grammar::read::ebnf;
use spelunk_grammar::{Choices, Grammar, Measure, Source, SymbolicGrammar, Templates};
use std::collections::{BTreeSet, HashSet};

const TOKENS: [&str; 2] = ["'a'", "'b'"];
const MAX_LEN: usize = 5;

/// A grammar of three rules over two letters.
fn grammar() -> impl Strategy<Value = Grammar> {
    let symbol = prop_oneof![(0u32..2).prop_map(Symbol::Token), (0u32..3).prop_map(Symbol::Rule)];
    let production = (0u32..3, prop::collection::vec(symbol, 0..4));
    prop::collection::vec(production, 2..7).prop_map(|productions| Grammar {
        rules: ["s", "t", "u"].map(str::to_owned).to_vec(),
        tokens: TOKENS.map(str::to_owned).to_vec(),
        productions: productions
            .into_iter()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .map(|(rule, symbols)| Production { rule, symbols, precedence: None, line: 1 })
            .collect(),
        ..Grammar::default()
    })
}

/// What each rule derives, of texts up to a length: the least sets that satisfy the productions.
fn texts(grammar: &Grammar) -> HashSet<Vec<u8>> {
    let mut derived: Vec<HashSet<Vec<u8>>> = vec![HashSet::new(); grammar.rules.len()];
    loop {
        let before: usize = derived.iter().map(HashSet::len).sum();
        for production in &grammar.productions {
            let mut texts = HashSet::from([Vec::new()]);
            for symbol in &production.symbols {
                let words = match *symbol {
                    Symbol::Token(token) => HashSet::from([vec![b'a' + token as u8]]),
                    Symbol::Rule(rule) => derived[rule as usize].clone(),
                };
                let pairs =
                    texts.iter().flat_map(|text| words.iter().map(move |word| [text.as_slice(), word].concat()));
                texts = pairs.filter(|text| text.len() <= MAX_LEN).collect();
            }
            derived[production.rule as usize].extend(texts);
        }
        if derived.iter().map(HashSet::len).sum::<usize>() == before {
            return derived.swap_remove(0);
        }
    }
}

fn made(grammar: &Grammar, measure: Measure, max: usize) -> Option<(Templates, Vec<Vec<u8>>)> {
    let lexer = Lexer { is_longest_match: false, ..Lexer::default() };
    let choices = Choices { measure, ..Choices::default() };
    let symbolic = SymbolicGrammar::new(grammar.clone(), &lexer, &choices).ok()?;
    let templates = Templates::new(symbolic, Some(max));
    let mut all = Vec::new();
    for m in 0..templates.n_measures() {
        templates.each(templates.of_measure(m), |_, _, template| {
            all.push(template.bytes.clone());
            all.len() < 100_000
        });
    }
    Some((templates, all))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// By length: the same texts as the oracle's, each once.
    #[test]
    fn all_texts_come_once(grammar in grammar()) {
        let expected = texts(&grammar);
        match made(&grammar, Measure::Length, MAX_LEN) {
            None => prop_assert!(expected.is_empty()),
            Some((templates, all)) => {
                let distinct: HashSet<Vec<u8>> = all.iter().cloned().collect();
                prop_assert_eq!(all.len(), distinct.len(), "each once");
                prop_assert_eq!(distinct, expected);
                if !templates.symbolic.may_repeat {
                    prop_assert_eq!(templates.len(), all.len() as u64, "counted before they are made");
                }
            }
        }
    }

    /// By size and height: each once, over all measures; and all of them texts of the grammar.
    #[test]
    fn no_text_comes_again(grammar in grammar(), is_height in any::<bool>()) {
        let measure = if is_height { Measure::Height } else { Measure::Size };
        let expected = texts(&grammar);
        if let Some((_, all)) = made(&grammar, measure, if is_height { 3 } else { 6 }) {
            let distinct: HashSet<&Vec<u8>> = all.iter().collect();
            prop_assert_eq!(all.len(), distinct.len(), "each once");
            prop_assert!(distinct.iter().all(|text| text.len() > MAX_LEN || expected.contains(*text)));
        }
    }

    /// Tokens as the lexer sees them: a text is lexed into the tokens that it was made of.
    #[test]
    fn texts_lex_back(words in prop::collection::btree_set("[ab-]{1,2}", 1..4), has_blank in any::<bool>()) {
        let literals: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let skip = if has_blank { "%skip / / ;" } else { "%skip /_/ ;" };
        let text = format!("s : t | s t ; t : {} | ID ; ID : /[ab]+/ ; {skip}", literals.join(" | "));
        let (grammar, lexer) = ebnf::read(Source { name: "t.g", text: &text }).unwrap();
        let choices = Choices { measure: Measure::Size, ..Choices::default() };
        let Ok(symbolic) = SymbolicGrammar::new(grammar, &lexer, &choices) else { return Ok(()) };
        let templates = Templates::new(symbolic, Some(5));
        for m in 0..templates.n_measures() {
            let mut wrong = None;
            templates.each(templates.of_measure(m), |_, cursor, template| {
                let symbolic = &templates.symbolic;
                let made: Vec<u32> = cursor.leaves().iter().map(|&leaf| symbolic.token(leaf)).collect();
                let filled = template.fill(symbolic, &[]);
                let lexed = lex(&lexer, &filled);
                let names: Vec<&str> = made.iter().map(|&it| symbolic.grammar.tokens[it as usize].as_str()).collect();
                if lexed.as_deref() != Some(&names.iter().map(|&it| it.to_owned()).collect::<Vec<_>>()[..]) {
                    wrong = Some((filled, names.join(" "), lexed));
                }
                wrong.is_none()
            });
            prop_assert_eq!(wrong, None);
        }
    }
}

/// The longest match of any rule, again and again.
fn lex(lexer: &Lexer, mut text: &[u8]) -> Option<Vec<String>> {
    let matches = |rule: &LexRule, word: &[u8]| {
        spelunk_grammar::Dfa::new(std::slice::from_ref(&rule.pattern)).unwrap().accepts(word)
    };
    let mut tokens = Vec::new();
    while !text.is_empty() {
        let (len, rule) = (1..=text.len()).rev().find_map(|len| {
            let rule = lexer.rules.iter().find(|rule| matches(rule, &text[..len]))?;
            Some((len, rule))
        })?;
        if let LexAction::Token(names) = &rule.action {
            tokens.push(names[0].clone());
        }
        text = &text[len..];
    }
    Some(tokens)
}
