//! Grammars of yacc and bison, as projects write them. Actions and declarations that say nothing about the language are passed over.

use super::{Result, Scanner};
use crate::diagnostic::{Severity, Source};
use crate::model::{Assoc, Grammar, Production, Symbol};

/// Reads a `.y` file.
pub fn read(source: Source<'_>) -> Result<Grammar> {
    let mut reader = Reader {
        scanner: Scanner::new(source),
        grammar: Grammar { is_yacc: true, ..Grammar::default() },
        aliases: Vec::new(),
        start: None,
        defined: Vec::new(),
    };
    reader.declarations()?;
    reader.rules()?;
    reader.finish()
}

struct Reader<'s> {
    scanner: Scanner<'s>,
    grammar: Grammar,
    /// `"text"` and the token that it is another name of.
    aliases: Vec<(String, u32)>,
    start: Option<(String, usize)>,
    /// By rule: where it is defined.
    defined: Vec<usize>,
}

/// Declarations that take the rest of their line, with what is in braces there.
impl Reader<'_> {
    fn declarations(&mut self) -> Result<()> {
        loop {
            self.scanner.skip_space(false)?;
            let from = self.scanner.at;
            if self.scanner.eat("%%") {
                return Ok(());
            }
            if self.scanner.eat("%{") {
                match self.scanner.rest().find("%}") {
                    Some(len) => self.scanner.at += len + 2,
                    None => return Err(self.scanner.source.error(from..from + 2, "this `%{` has no `%}`")),
                }
                continue;
            }
            if self.scanner.is_at_end() {
                return Err(self.scanner.error(from, "the rules are missing: no `%%`"));
            }
            if self.scanner.eat(";") {
                continue;
            }
            if !self.scanner.eat("%") {
                return Err(self.scanner.error(from, "expected a declaration or `%%`"));
            }
            let name = self.scanner.name().unwrap_or_default().to_owned();
            match name.as_str() {
                "token" | "term" | "nterm" | "type" => drop(self.symbols(name == "token" || name == "term")?),
                "left" => self.precedence(Assoc::Left)?,
                "right" => self.precedence(Assoc::Right)?,
                "nonassoc" | "binary" | "precedence" => self.precedence(Assoc::Nonassoc)?,
                "start" => {
                    self.scanner.skip_space(false)?;
                    let at = self.scanner.at;
                    let start = self.scanner.name().ok_or_else(|| self.scanner.error(at, "expected a rule's name"))?;
                    self.start = Some((start.to_owned(), at));
                }
                "define" => {
                    self.scanner.skip_space(false)?;
                    let is_prefix = self.scanner.name() == Some("api.token.prefix");
                    self.scanner.skip_space(false)?;
                    match self.scanner.peek() {
                        Some('{') if is_prefix => {
                            let prefix = self.scanner.braced()?;
                            self.grammar.token_prefix = self.scanner.source.text[prefix].trim().to_owned();
                        }
                        Some('"') if is_prefix => {
                            self.grammar.token_prefix = String::from_utf8_lossy(&self.scanner.quoted()?).into_owned();
                        }
                        _ => self.skip_declaration()?,
                    }
                }
                _ => self.skip_declaration()?,
            }
        }
    }

    /// Whatever it says, up to the next declaration.
    fn skip_declaration(&mut self) -> Result<()> {
        while let Some(c) = self.scanner.peek() {
            match c {
                '%' => return Ok(()),
                '{' => {
                    self.scanner.braced()?;
                }
                '"' | '\'' => drop(self.scanner.quoted()?),
                '<' => drop(self.scanner.take_while(|c| c != '>' && c != '\n')),
                _ => drop(self.scanner.bump()),
            }
            if self.scanner.rest().starts_with('/') {
                self.scanner.skip_space(false)?;
                if self.scanner.rest().starts_with('/') {
                    self.scanner.bump();
                }
            }
        }
        Ok(())
    }

    /// Names in a declaration, with types, numbers and aliases between them.
    fn symbols(&mut self, are_tokens: bool) -> Result<Vec<u32>> {
        let mut tokens = Vec::new();
        loop {
            self.scanner.skip_space(false)?;
            match self.scanner.peek() {
                Some('<') => {
                    self.scanner.take_while(|c| c != '>');
                    self.scanner.bump();
                }
                Some('0'..='9') => drop(self.scanner.take_while(|c| c.is_alphanumeric())),
                Some('\'') => tokens.push(self.literal()?),
                Some('"') => {
                    let text = self.quoted_name()?;
                    match tokens.last() {
                        Some(&token) if are_tokens => self.aliases.push((text, token)),
                        _ => tokens.push(self.grammar.token(&text)),
                    }
                }
                Some('_') if self.scanner.eat("_(") => {}
                Some(')') => drop(self.scanner.bump()),
                _ => match self.scanner.name() {
                    Some(name) if are_tokens => tokens.push(self.grammar.token(name)),
                    Some(_) => {}
                    None => return Ok(tokens),
                },
            }
        }
    }

    fn precedence(&mut self, assoc: Assoc) -> Result<()> {
        let tokens = self.symbols(true)?;
        self.grammar.precedence.push((assoc, tokens));
        Ok(())
    }

    /// `'c'` as a token: its name is what stands there, written in one way.
    fn literal(&mut self) -> Result<u32> {
        let bytes = self.scanner.quoted()?;
        Ok(self.grammar.token(&literal_name(&bytes)))
    }

    fn quoted_name(&mut self) -> Result<String> {
        let from = self.scanner.at;
        self.scanner.quoted()?;
        Ok(self.scanner.source.text[from..self.scanner.at].to_owned())
    }

    fn rules(&mut self) -> Result<()> {
        loop {
            self.scanner.skip_space(false)?;
            let from = self.scanner.at;
            if self.scanner.is_at_end() || self.scanner.eat("%%") {
                return Ok(());
            }
            if self.scanner.eat("%{") || self.scanner.eat("%") {
                self.skip_declaration()?;
                continue;
            }
            if self.scanner.eat(";") {
                continue;
            }
            let Some(name) = self.scanner.name() else {
                return Err(self.scanner.error(from, "expected a rule"));
            };
            let rule = self.grammar.rule(name);
            self.skip_bracketed_name()?;
            self.scanner.skip_space(false)?;
            let at = self.scanner.at;
            if !self.scanner.eat(":") {
                return Err(self.scanner.error(at, format!("expected `:` behind the rule's name `{name}`")));
            }
            self.defined.push(rule as usize);
            self.alternatives(rule)?;
        }
    }

    /// `[name]` behind a symbol.
    fn skip_bracketed_name(&mut self) -> Result<()> {
        self.scanner.skip_space(false)?;
        if self.scanner.eat("[") {
            self.scanner.take_while(|c| c != ']');
            self.scanner.bump();
        }
        Ok(())
    }

    fn alternatives(&mut self, rule: u32) -> Result<()> {
        loop {
            let goes_on = self.alternative(rule)?;
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// One alternative. Says whether another follows.
    fn alternative(&mut self, rule: u32) -> Result<bool> {
        let mut symbols = Vec::new();
        let (mut precedence, mut has_error) = (None, false);
        // Code that something follows is a rule of its own, which is empty.
        let mut pending_action = false;
        self.scanner.skip_space(false)?;
        let line = self.scanner.line();
        let goes_on = loop {
            self.scanner.skip_space(false)?;
            let from = self.scanner.at;
            let is_symbol =
                self.scanner.peek().is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '.' | '\'' | '"'));
            if is_symbol && self.starts_rule() {
                break false;
            }
            if is_symbol && std::mem::take(&mut pending_action) {
                symbols.push(self.empty_rule(line));
            }
            match self.scanner.peek() {
                None => break false,
                Some('|') => {
                    self.scanner.bump();
                    break true;
                }
                Some(';') => {
                    self.scanner.bump();
                    break false;
                }
                Some('{') => {
                    if std::mem::replace(&mut pending_action, true) {
                        symbols.push(self.empty_rule(line));
                    }
                    self.scanner.braced()?;
                    self.skip_bracketed_name()?;
                }
                Some('<') => {
                    self.scanner.take_while(|c| c != '>');
                    self.scanner.bump();
                }
                Some('\'') => symbols.push(Symbol::Token(self.literal()?)),
                Some('"') => {
                    let text = self.quoted_name()?;
                    let alias = self.aliases.iter().find(|alias| alias.0 == text).map(|alias| alias.1);
                    symbols.push(Symbol::Token(alias.unwrap_or_else(|| self.grammar.token(&text))));
                }
                Some('%') => {
                    if self.scanner.rest().starts_with("%%") {
                        break false;
                    }
                    self.scanner.bump();
                    match self.scanner.name() {
                        Some("empty") => {}
                        Some("prec") => {
                            self.scanner.skip_space(false)?;
                            precedence = match self.scanner.peek() {
                                Some('\'') => Some(self.literal()?),
                                Some('"') => {
                                    let text = self.quoted_name()?;
                                    self.aliases.iter().find(|alias| alias.0 == text).map(|alias| alias.1)
                                }
                                _ => self.scanner.name().map(|name| self.grammar.token(name)),
                            };
                        }
                        Some("dprec" | "merge" | "expect" | "expect-rr") => {
                            self.scanner.skip_space(false)?;
                            self.scanner.take_while(|c| !c.is_whitespace());
                        }
                        _ if self.scanner.eat("?") => {
                            self.scanner.skip_space(false)?;
                            self.scanner.braced()?;
                        }
                        _ => return Err(self.scanner.error(from, "unknown directive in a rule")),
                    }
                }
                Some('[') => self.skip_bracketed_name()?,
                _ => match self.scanner.name() {
                    Some("error") => has_error = true,
                    Some(name) => {
                        // Whether it is a rule is known at the end.
                        let is_token = self.grammar.tokens.iter().any(|token| token == name);
                        symbols.push(match is_token {
                            true => Symbol::Token(self.grammar.token(name)),
                            false => Symbol::Rule(self.grammar.rule(name)),
                        });
                    }
                    None => {
                        self.scanner.bump();
                        return Err(self.scanner.error(from, "expected a symbol, `|` or `;`"));
                    }
                },
            }
        };
        if has_error {
            let note = format!("error production of `{}` left out", self.grammar.rules[rule as usize]);
            let at = self.scanner.at.min(self.scanner.source.text.len());
            let diagnostic = self.scanner.source.diagnose(Severity::Note, at..at, note);
            self.grammar.notes.push(diagnostic);
        } else {
            self.grammar.productions.push(Production { rule, symbols, precedence, line });
        }
        Ok(goes_on)
    }

    /// Whether a name and a colon stand here: a rule whose predecessor has no semicolon.
    fn starts_rule(&mut self) -> bool {
        let at = self.scanner.at;
        let is_rule = self.scanner.name().is_some()
            && self.skip_bracketed_name().is_ok()
            && self.scanner.skip_space(false).is_ok()
            && self.scanner.rest().starts_with(':');
        self.scanner.at = at;
        is_rule
    }

    fn empty_rule(&mut self, line: usize) -> Symbol {
        let name = format!("$@{}", self.grammar.rules.len());
        let rule = self.grammar.rule(&name);
        self.defined.push(rule as usize);
        self.grammar.productions.push(Production { rule, symbols: Vec::new(), precedence: None, line });
        Symbol::Rule(rule)
    }

    fn finish(mut self) -> Result<Grammar> {
        let source = self.scanner.source;
        let Some(&first) = self.defined.first() else {
            return Err(source.error(self.scanner.at..self.scanner.at, "there are no rules"));
        };
        self.grammar.start = first as u32;
        if let Some((start, at)) = &self.start {
            let rule = self.grammar.rules.iter().position(|rule| rule == start);
            let is_defined = rule.is_some_and(|rule| self.defined.contains(&rule));
            if !is_defined {
                return Err(source.error(*at..at + start.len(), format!("no rule defines the start symbol `{start}`")));
            }
            self.grammar.start = rule.expect("it is there") as u32;
        }
        // Names that no rule defines are tokens that nobody has declared, as lexers of old have them.
        for rule in 0..self.grammar.rules.len() {
            if !self.defined.contains(&rule) {
                let name = self.grammar.rules[rule].clone();
                let token = self.grammar.token(&name);
                let at = source.text.find(name.as_str()).unwrap_or(0);
                let message = format!("`{name}` is neither a rule nor declared as a token; taken for a token");
                self.grammar.notes.push(source.diagnose(Severity::Warning, at..at + name.len(), message));
                let symbols = self.grammar.productions.iter_mut().flat_map(|production| &mut production.symbols);
                symbols.filter(|it| **it == Symbol::Rule(rule as u32)).for_each(|it| *it = Symbol::Token(token));
            }
        }
        Ok(self.grammar)
    }
}

/// How a literal token is called.
pub(crate) fn literal_name(bytes: &[u8]) -> String {
    format!("'{}'", bytes.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let grammar = read(Source { name: "t.y", text }).unwrap();
        grammar.productions.iter().map(|production| grammar.show(production)).collect()
    }

    #[test]
    fn what_real_files_have() {
        let text = r#"
%{ #include <x.h> /* %% */ %}
%union { int i; struct { char c; } s; }
%define api.pure full
%define api.token.prefix {TOK_}
%code requires { struct x { int y; }; }
%token <i> NUM 300 "number"
  ID
;
%type <i> e ; %left AND ;
%left '+' '-'
%right NEG
%expect 2
%%
s: e ';' { if ($1 == '}') puts("}"); } ;
e[res]: e[l] '+' e { $$ = $1 + $3; } | { mid(); } '-' e %prec NEG | "number" | ID
  | error ';' { yyerrok; }
t: %empty | t e
%%
junk { here
"#;
        assert_eq!(
            shown(text),
            ["s: e ';'", "e: e '+' e", "$@2: %empty", "e: $@2 '-' e", "e: NUM", "e: ID", "t: %empty", "t: t e"]
        );
    }

    #[test]
    fn tokens_are_known_to_lexers_with_their_prefix() {
        let prefix = |text| read(Source { name: "t.y", text }).unwrap().token_prefix;
        assert_eq!(prefix("%define api.token.prefix {TOK_}\n%token A\n%%\ns: A;"), "TOK_");
        assert_eq!(prefix("%define api.token.prefix \"T_\"\n%token A\n%%\ns: A;"), "T_");
        assert_eq!(prefix("%define api.prefix {yy}\n%token A\n%%\ns: A;"), "");
    }

    #[test]
    fn mistakes_are_pointed_at() {
        let error = |text| read(Source { name: "t.y", text }).unwrap_err().to_string();
        assert_eq!(
            error("%token A\n%%\ns: A { x"),
            "t.y:3:6: error: this brace is never closed\n 3 | s: A { x\n   |      ^"
        );
        assert!(error("%start q\n%%\ns: 'a';").contains("no rule defines the start symbol `q`"));
        assert!(error("%token A\n").contains("no `%%`"));
    }
}
