//! Our own format, for parsers that people have written by hand: docs/grammars.md.

use super::bison::literal_name;
use super::{Result, Scanner};
use crate::diagnostic::Source;
use crate::model::{Grammar, LexAction, LexRule, Lexer, Production, Symbol};
use regex_syntax::hir::Hir;

/// Reads a grammar of our own format, with its tokens.
pub fn read(source: Source<'_>) -> Result<(Grammar, Lexer)> {
    let scanner = Scanner::new(source);
    let mut reader = Reader {
        scanner,
        grammar: Grammar::default(),
        words: Vec::new(),
        patterns: Vec::new(),
        skips: Vec::new(),
        used: Vec::new(),
        start: None,
    };
    reader.file()?;
    reader.finish()
}

struct Reader<'s> {
    scanner: Scanner<'s>,
    grammar: Grammar,
    /// Literals and patterns: tokens with what they match.
    words: Vec<LexRule>,
    patterns: Vec<LexRule>,
    skips: Vec<LexRule>,
    /// Where names were first used.
    used: Vec<(String, usize)>,
    start: Option<(String, usize)>,
}

/// The alternatives of a rule, or of what stands in parentheses.
type Alternatives = Vec<Vec<Symbol>>;

impl Reader<'_> {
    fn space(&mut self) -> Result<()> {
        self.scanner.skip_space(true)
    }

    fn expect(&mut self, text: &str, why: &str) -> Result<()> {
        self.space()?;
        let at = self.scanner.at;
        if self.scanner.eat(text) { Ok(()) } else { Err(self.scanner.error(at, format!("expected `{text}` {why}"))) }
    }

    fn file(&mut self) -> Result<()> {
        loop {
            self.space()?;
            let from = self.scanner.at;
            if self.scanner.is_at_end() {
                return Ok(());
            }
            let line = self.scanner.line();
            if self.scanner.eat("%skip") {
                self.space()?;
                let pattern = self.regex()?;
                self.skips.push(LexRule::new(pattern, LexAction::Skip, line));
                self.expect(";", "behind the pattern")?;
                continue;
            }
            if self.scanner.eat("%start") {
                self.space()?;
                let at = self.scanner.at;
                let name = self.scanner.name().ok_or_else(|| self.scanner.error(at, "expected a rule's name"))?;
                self.start = Some((name.to_owned(), at));
                self.expect(";", "behind the rule's name")?;
                continue;
            }
            let Some(name) = self.scanner.name() else {
                self.scanner.bump();
                return Err(self.scanner.error(from, "expected a rule, `%skip` or `%start`"));
            };
            let is_known = self.grammar.productions.iter().any(|it| self.grammar.rules[it.rule as usize] == name)
                || self.patterns.iter().any(|it| it.action == LexAction::Token(vec![name.to_owned()]));
            if is_known {
                return Err(self.scanner.error(from, format!("`{name}` is defined twice")));
            }
            self.expect(":", "behind the rule's name")?;
            self.space()?;
            if self.scanner.rest().starts_with('/') && self.is_token()? {
                let pattern = self.regex()?;
                self.grammar.token(name);
                self.patterns.push(LexRule::new(pattern, LexAction::Token(vec![name.to_owned()]), line));
                self.expect(";", "behind the pattern")?;
                continue;
            }
            let rule = self.grammar.rule(name);
            let alternatives = self.alternatives(name)?;
            self.add(rule, alternatives, line);
            self.end_of_rule()?;
        }
    }

    /// The semicolon; or what seems to be meant by what stands there.
    fn end_of_rule(&mut self) -> Result<()> {
        self.space()?;
        let (at, text) = (self.scanner.at, self.scanner.source.text);
        if self.scanner.eat(";") {
            return Ok(());
        }
        if let Some((name, from)) = self.used.last()
            && self.scanner.peek() == Some(':')
            && text[from + name.len()..at].trim().is_empty()
        {
            let message = format!("the rule before `{name}` has no `;` at its end");
            return Err(self.scanner.source.error(*from..from + name.len(), message));
        }
        Err(self.scanner.error(
            at,
            match self.scanner.peek() {
                Some('[') => "patterns stand between slashes: /[a-z]+/",
                Some('{') => "repetition is written `?`, `*` or `+`; `{n}` is for patterns",
                Some(':' | '=') => "a rule is written `name : ... ;`",
                _ => "expected `;` at the end of the rule",
            },
        ))
    }

    /// Whether a pattern stands here and nothing else in the rule.
    fn is_token(&mut self) -> Result<bool> {
        let at = self.scanner.at;
        self.regex()?;
        self.space()?;
        let is_token = self.scanner.rest().starts_with(';');
        self.scanner.at = at;
        Ok(is_token)
    }

    fn add(&mut self, rule: u32, alternatives: Alternatives, line: usize) {
        for symbols in alternatives {
            self.grammar.productions.push(Production { rule, symbols, precedence: None, line });
        }
    }

    fn regex(&mut self) -> Result<Hir> {
        let from = self.scanner.at;
        if !self.scanner.eat("/") {
            return Err(self.scanner.error(from, "expected a pattern between slashes"));
        }
        let start = self.scanner.at;
        while let Some(c) = self.scanner.peek().filter(|&c| c != '/' && c != '\n') {
            self.scanner.bump();
            if c == '\\' {
                self.scanner.bump();
            }
        }
        let end = self.scanner.at;
        if !self.scanner.eat("/") {
            return Err(self.scanner.source.error(from..end, "this pattern has no closing slash"));
        }
        let text = self.scanner.source.text[start..end].replace("\\/", "/");
        let parsed = regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build().parse(&text);
        let wrong = |error: regex_syntax::Error| match error {
            regex_syntax::Error::Parse(error) => {
                let at = error.span();
                self.scanner.source.error(start + at.start.offset..start + at.end.offset, error.kind().to_string())
            }
            error => self.scanner.source.error(from..end, error.to_string()),
        };
        parsed.map_err(wrong)
    }

    fn alternatives(&mut self, name: &str) -> Result<Alternatives> {
        let mut all = vec![self.sequence(name)?];
        loop {
            self.space()?;
            if !self.scanner.eat("|") {
                return Ok(all);
            }
            all.push(self.sequence(name)?);
        }
    }

    fn sequence(&mut self, name: &str) -> Result<Vec<Symbol>> {
        let mut symbols = Vec::new();
        loop {
            self.space()?;
            let (from, line) = (self.scanner.at, self.scanner.line());
            let symbol = match self.scanner.peek() {
                Some('"' | '\'') => {
                    let bytes = self.scanner.quoted()?;
                    if bytes.is_empty() {
                        return Err(self
                            .scanner
                            .error(from, "an empty literal matches nothing; leave the alternative empty"));
                    }
                    self.literal(&bytes, line)
                }
                Some('/') => {
                    let pattern = self.regex()?;
                    let token = self.scanner.source.text[from..self.scanner.at].to_owned();
                    let number = self.grammar.token(&token);
                    if !self.patterns.iter().any(|it| it.action == LexAction::Token(vec![token.clone()])) {
                        self.patterns.push(LexRule::new(pattern, LexAction::Token(vec![token]), line));
                    }
                    Symbol::Token(number)
                }
                Some('(') => {
                    self.scanner.bump();
                    let alternatives = self.alternatives(name)?;
                    self.expect(")", "to close the parenthesis")?;
                    match <[_; 1]>::try_from(alternatives) {
                        Ok([alternative]) if !self.rest_repeats() => {
                            symbols.extend(alternative);
                            continue;
                        }
                        Ok(alternative) => self.helper(name, alternative.into(), line),
                        Err(alternatives) => self.helper(name, alternatives, line),
                    }
                }
                _ => match self.scanner.name() {
                    Some("empty") => continue,
                    Some(used) => {
                        self.used.push((used.to_owned(), from));
                        Symbol::Rule(self.grammar.rule(used))
                    }
                    None => return Ok(symbols),
                },
            };
            symbols.push(self.repeated(name, symbol, line)?);
        }
    }

    fn rest_repeats(&mut self) -> bool {
        self.scanner.rest().starts_with(['*', '+', '?'])
    }

    fn literal(&mut self, bytes: &[u8], line: usize) -> Symbol {
        let name = literal_name(bytes);
        let token = self.grammar.token(&name);
        let action = LexAction::Token(vec![name]);
        if !self.words.iter().any(|word| word.action == action) {
            self.words.push(LexRule::new(Hir::literal(bytes), action, line));
        }
        Symbol::Token(token)
    }

    /// A rule that nobody has named.
    fn helper(&mut self, name: &str, alternatives: Alternatives, line: usize) -> Symbol {
        let known = self.grammar.rules.iter().filter(|rule| rule.starts_with(&format!("{name}~"))).count();
        let rule = self.grammar.rule(&format!("{name}~{}", known + 1));
        self.add(rule, alternatives, line);
        Symbol::Rule(rule)
    }

    fn repeated(&mut self, name: &str, symbol: Symbol, line: usize) -> Result<Symbol> {
        let shortest = if self.scanner.eat("?") {
            return Ok(self.helper(name, vec![vec![], vec![symbol]], line));
        } else if self.scanner.eat("*") {
            vec![]
        } else if self.scanner.eat("+") {
            vec![symbol]
        } else {
            return Ok(symbol);
        };
        let list = self.helper(name, vec![shortest], line);
        let Symbol::Rule(rule) = list else { unreachable!("helpers are rules") };
        self.add(rule, vec![vec![list, symbol]], line);
        Ok(list)
    }

    fn finish(mut self) -> Result<(Grammar, Lexer)> {
        let source = self.scanner.source;
        let defined = |grammar: &Grammar, name: &str| {
            grammar.productions.iter().any(|it| grammar.rules[it.rule as usize] == name)
        };
        for (name, at) in &self.used {
            if let Some(token) = self.grammar.tokens.iter().position(|token| token == name) {
                let rule = self.grammar.rule(name);
                let symbols = self.grammar.productions.iter_mut().flat_map(|production| &mut production.symbols);
                symbols.filter(|it| **it == Symbol::Rule(rule)).for_each(|it| *it = Symbol::Token(token as u32));
            } else if !defined(&self.grammar, name) {
                return Err(source.error(*at..at + name.len(), format!("nothing defines `{name}`")));
            }
        }
        let first = self
            .grammar
            .productions
            .iter()
            .map(|it| it.rule)
            .find(|&it| !self.grammar.rules[it as usize].contains('~'));
        let Some(first) = first else {
            return Err(source.error(source.text.len()..source.text.len(), "there are no rules"));
        };
        self.grammar.start = first;
        if let Some((start, at)) = &self.start {
            if !defined(&self.grammar, start) {
                return Err(source.error(*at..at + start.len(), format!("nothing defines `{start}`")));
            }
            self.grammar.start = self.grammar.rule(start);
        }
        let is_longest_match = !self.skips.is_empty();
        let rules = self.words.into_iter().chain(self.patterns).chain(self.skips).collect();
        Ok((self.grammar, Lexer { rules, notes: Vec::new(), is_longest_match }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_tokens() {
        let text = "# numbers\nlist : item (\",\" item)* tail? ;\nitem : NUM | '(' list ')' | /[a-z]/ ;\ntail : \".\" | empty ;\nNUM : /[0-9]+/ ;\n%skip / +/ ;";
        let (grammar, lexer) = read(Source { name: "t.g", text }).unwrap();
        let shown: Vec<String> = grammar.productions.iter().map(|it| grammar.show(it)).collect();
        assert_eq!(
            shown,
            [
                "list~1: ',' item",
                "list~2: %empty",
                "list~2: list~2 list~1",
                "list~3: %empty",
                "list~3: tail",
                "list: item list~2 list~3",
                "item: NUM",
                "item: '(' list ')'",
                "item: /[a-z]/",
                "tail: '.'",
                "tail: %empty"
            ]
        );
        assert_eq!(grammar.rules[grammar.start as usize], "list");
        assert_eq!(lexer.rules.len(), 7);
    }

    #[test]
    fn mistakes_are_pointed_at() {
        let error = |text| read(Source { name: "t.g", text }).unwrap_err().to_string();
        assert_eq!(error("s : \"a\" b ;"), "t.g:1:9: error: nothing defines `b`\n 1 | s : \"a\" b ;\n   |         ^");
        assert_eq!(error("s : /[a/ ;"), "t.g:1:6: error: unclosed character class\n 1 | s : /[a/ ;\n   |      ^");
        assert!(error("s : \"a\"\nt : \"b\" ;").contains("t.g:2:1: error: the rule before `t` has no `;` at its end"));
        assert!(error("s ::= \"a\" ;").contains("a rule is written"));
        assert!(error("s : [0-9]+ ;").contains("between slashes"));
        assert!(error("s : \"a\"{2} ;").contains("`?`, `*` or `+`"));
        assert!(error("s : \"a\"").contains("expected `;`"));
        assert!(error("s : \"a\" ;\ns : \"b\" ;").contains("defined twice"));
        assert!(error("%skip / / ;").contains("no rules"));
    }
}
