//! Lexers of lex and flex, as projects write them. What a rule does is read off its action: the token that it returns, or nothing, and
//! which start condition comes next. A rule whose action does more than that makes no text, but longest match knows of it.

use super::bison::literal_name;
use super::pattern::{self, Definitions, Pattern};
use super::{Result, Scanner};
use crate::diagnostic::{Severity, Source};
use crate::model::{LexAction, LexRule, Lexer, Next, Trailing};
use regex_syntax::hir::Hir;

/// Reads a `.l` file.
pub fn read(source: Source<'_>) -> Result<Lexer> {
    let mut reader = Reader {
        scanner: Scanner::new(source),
        lexer: Lexer { is_longest_match: true, ..Lexer::default() },
        definitions: Definitions::new(),
        conditions: vec![("INITIAL".to_owned(), true)],
        pending: Vec::new(),
    };
    reader.definitions()?;
    reader.rules()?;
    Ok(reader.lexer)
}

struct Reader<'s> {
    scanner: Scanner<'s>,
    lexer: Lexer,
    definitions: Definitions,
    /// Names of start conditions, and whether rules without one count in them.
    conditions: Vec<(String, bool)>,
    /// Patterns whose action is that of the next: `|`.
    pending: Vec<(Pattern, Vec<u32>, usize)>,
}

impl Reader<'_> {
    fn definitions(&mut self) -> Result<()> {
        loop {
            let from = self.scanner.at;
            if self.scanner.is_at_end() {
                return Err(self.scanner.error(from, "the rules are missing: no `%%`"));
            }
            if self.scanner.eat("%%") {
                self.scanner.line_rest();
                return Ok(());
            }
            if self.skip_code()? {
                continue;
            }
            if self.scanner.eat("%top") {
                self.scanner.skip_space(false)?;
                self.scanner.braced()?;
            } else if self.scanner.eat("%") {
                let mut words = self.scanner.line_rest().split_whitespace();
                let is_inclusive = match words.next() {
                    Some("s" | "S" | "start" | "Start") => true,
                    Some("x" | "X") => false,
                    _ => continue,
                };
                self.conditions.extend(words.map(|name| (name.to_owned(), is_inclusive)));
            } else if let Some(name) = self.scanner.name() {
                self.scanner.take_while(|c| c == ' ' || c == '\t');
                let hir = pattern::definition(&mut self.scanner, &self.definitions)?;
                self.definitions.push((name.to_owned(), hir));
                self.scanner.line_rest();
            } else {
                self.scanner.bump();
                return Err(self.scanner.error(from, "expected a definition or `%%`"));
            }
        }
    }

    /// Passes over an empty line, a comment, or lines of C. Says whether there was one.
    fn skip_code(&mut self) -> Result<bool> {
        let from = self.scanner.at;
        if self.scanner.eat("%{") {
            match self.scanner.rest().find("%}") {
                Some(len) => self.scanner.at += len + 2,
                None => return Err(self.scanner.source.error(from..from + 2, "this `%{` has no `%}`")),
            }
            self.scanner.line_rest();
        } else if self.scanner.rest().starts_with("/*") || self.scanner.rest().starts_with("//") {
            self.scanner.skip_space(false)?;
        } else if self.scanner.peek().is_some_and(char::is_whitespace) {
            self.scanner.take_while(|c| c == ' ' || c == '\t');
            if self.scanner.rest().starts_with("/*") {
                self.scanner.skip_space(false)?;
            } else {
                self.scanner.line_rest();
                self.scanner.bump();
            }
        }
        Ok(self.scanner.at > from)
    }

    fn rules(&mut self) -> Result<()> {
        // The conditions of a group in braces.
        let mut group: Option<Vec<u32>> = None;
        loop {
            if group.is_some() {
                self.scanner.take_while(char::is_whitespace);
            }
            if self.scanner.is_at_end() || self.scanner.eat("%%") {
                return Ok(());
            }
            if group.is_some() && self.scanner.eat("}") {
                group = None;
                continue;
            }
            if self.skip_code()? {
                continue;
            }
            let mut conditions = group.clone();
            if self.scanner.rest().starts_with('<') && !self.scanner.rest().starts_with("<<") {
                let own = conditions.get_or_insert_default();
                own.extend(self.condition_list()?);
                // The brace may stand on a line of its own.
                let rest = self.scanner.rest();
                let behind = rest.trim_start_matches([' ', '\t']);
                let behind = if behind.starts_with(['\n', '\r']) { behind.trim_start() } else { rest };
                let line = behind.lines().next().unwrap_or_default();
                if line.trim_end() == "{" || line.starts_with("{ ") {
                    self.scanner.at += rest.len() - behind.len() + 1;
                    group = conditions;
                    continue;
                }
            }
            let inclusive = || (0..).zip(&self.conditions).filter(|it| it.1.1).map(|it| it.0).collect();
            self.rule(conditions.unwrap_or_else(inclusive))?;
        }
    }

    /// `<A,B>` or `<*>`.
    fn condition_list(&mut self) -> Result<Vec<u32>> {
        self.scanner.bump();
        let from = self.scanner.at;
        let names = self.scanner.take_while(|c| c != '>' && c != '\n');
        if names.trim() == "*" {
            self.scanner.bump();
            return Ok((0..self.conditions.len() as u32).collect());
        }
        let number = |name: &str| condition(&self.conditions, name.trim());
        let numbers = names.split(',').map(number).collect::<Option<_>>();
        let unknown = || self.scanner.error(from, "no `%s` or `%x` declares one of these start conditions");
        let numbers = numbers.ok_or_else(unknown)?;
        self.scanner.bump();
        Ok(numbers)
    }

    fn rule(&mut self, conditions: Vec<u32>) -> Result<()> {
        let (from, line) = (self.scanner.at, self.scanner.line());
        let is_eof = self.scanner.eat("<<EOF>>");
        let pattern = match is_eof {
            true => Pattern { hir: Hir::empty(), trailing: None, is_anchored: false },
            false => pattern::pattern(&mut self.scanner, &self.definitions)?,
        };
        let text = &self.scanner.source.text[from..self.scanner.at];
        if !self.scanner.peek().is_none_or(char::is_whitespace) {
            return Err(self.scanner.error(self.scanner.at, "expected white space behind the pattern"));
        }
        self.scanner.take_while(|c| c == ' ' || c == '\t');
        let mut action = String::new();
        while let Some(c) = self.scanner.peek().filter(|&c| c != '\n') {
            if c == '{' {
                let code = self.scanner.braced()?;
                action.push_str(&self.scanner.source.text[code]);
            } else if self.scanner.rest().starts_with("/*") {
                self.scanner.skip_space(false)?;
            } else {
                action.push(c);
                self.scanner.bump();
            }
        }
        if !is_eof {
            self.pending.push((pattern, conditions, line));
        }
        if action.trim() == "|" {
            return Ok(());
        }
        let (action, next) = match (read_action(&action), read_next(&action, &self.conditions)) {
            (Ok(action), Ok(next)) => (Ok(action), next),
            (Err(why), _) | (_, Err(why)) => (Err(why), Next::Same),
        };
        for (pattern, conditions, line) in std::mem::take(&mut self.pending) {
            let parts = pattern.trailing.as_ref().map(|follows| trailing(&pattern.hir, follows));
            let (action, parts) = match (parts, &action) {
                (Some(parts), Ok(LexAction::Token(_))) => match parts {
                    Ok(parts) => (action.clone(), Some(parts)),
                    Err(why) => (Err(why), None),
                },
                (Some(_), Ok(LexAction::Itself)) => (Err("it depends on what follows"), None),
                (Some(_), _) => (Ok(LexAction::Unknown), None),
                (None, action) => (action.clone(), None),
            };
            let note = match &action {
                Err(why) => Some(format!("no text is made from `{text}`: {why}")),
                Ok(LexAction::Token(tokens)) if tokens.len() > 1 => {
                    Some(format!("`{text}` may be any of {}", tokens.join(", ")))
                }
                _ => None,
            };
            let place = from..from + text.len();
            self.lexer.notes.extend(note.map(|note| self.scanner.source.diagnose(Severity::Note, place, note)));
            let hir = Hir::concat([Some(pattern.hir), pattern.trailing].into_iter().flatten().collect());
            let action = action.unwrap_or(LexAction::Unknown);
            let is_anchored = pattern.is_anchored;
            let rule = LexRule { pattern: hir, trailing: parts, action, conditions, is_anchored, next, line };
            self.lexer.rules.push(rule);
        }
        Ok(())
    }
}

/// The parts of a pattern with trailing context, or why it can't be followed.
fn trailing(word: &Hir, follows: &Hir) -> std::result::Result<Trailing, &'static str> {
    let lengths = |hir: &Hir| (hir.properties().minimum_len(), hir.properties().maximum_len());
    let fixed = |(least, most): (Option<usize>, Option<usize>)| least.filter(|_| least == most);
    if [word, follows].into_iter().any(|hir| lengths(hir).0.unwrap_or(0) == 0) {
        return Err("what it matches or what must follow may be nothing");
    }
    let len = fixed(lengths(follows)).map(|len| len as u32);
    if len.is_none() && fixed(lengths(word)).is_none() {
        return Err("neither what it matches nor what must follow has always the same length");
    }
    Ok(Trailing { word: word.clone(), len })
}

fn condition(conditions: &[(String, bool)], name: &str) -> Option<u32> {
    conditions.iter().position(|it| it.0 == name || name == "0" && it.0 == "INITIAL").map(|at| at as u32)
}

fn words(code: &str) -> Vec<&str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect()
}

/// What an action does, or why that can't be said.
fn read_action(code: &str) -> std::result::Result<LexAction, &'static str> {
    let words = words(code);
    let does = |name: &str| words.contains(&name);
    if does("input") || does("yyinput") || does("unput") {
        return Err("its action reads input itself");
    } else if does("yyless") || does("yymore") || does("REJECT") {
        return Err("its action changes what is matched");
    } else if code.lines().any(|line| line.trim_start().starts_with("#if")) {
        return Err("what its action does is up to the preprocessor");
    }
    let mut tokens = Vec::new();
    for (at, _) in code.match_indices("return") {
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        if is_word(code[..at].chars().next_back()) || is_word(code[at + 6..].chars().next()) {
            continue;
        }
        let value = returned(code[at + 6..].split(';').next().unwrap_or_default());
        if value.starts_with('\'') {
            let bytes = Scanner::new(Source { name: "", text: value }).quoted();
            tokens.extend(bytes.ok().map(|bytes| literal_name(&bytes)));
        } else if value.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(if value == "0" { "it ends the input" } else { "it returns a number" });
        } else if !value.is_empty() && value.chars().all(|c| c.is_alphanumeric() || c == '_') {
            tokens.push(value.to_owned());
        } else {
            // `*yytext`, or a function that most often returns that: where the grammar has the letter as a token, it is that.
            return Ok(LexAction::Itself);
        }
    }
    tokens.sort();
    tokens.dedup();
    Ok(if tokens.is_empty() { LexAction::Skip } else { LexAction::Token(tokens) })
}

/// A value without casts, parentheses and namespaces around it.
fn returned(value: &str) -> &str {
    let mut value = value.trim();
    loop {
        let bare = value.strip_prefix("(int)").unwrap_or(value).trim();
        let bare = bare.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(bare).trim();
        if bare == value {
            return value.rsplit("::").next().unwrap_or(value);
        }
        value = bare;
    }
}

/// Which start condition comes after an action, or why that can't be said.
fn read_next(code: &str, conditions: &[(String, bool)]) -> std::result::Result<Next, &'static str> {
    let words = words(code);
    let changes = |word: &&str| matches!(*word, "BEGIN" | "yy_push_state" | "yy_pop_state");
    let mut places = words.iter().enumerate().filter(|(_, word)| changes(word)).map(|(at, _)| at);
    let why = "which start condition its action leads to is computed";
    let (Some(at), None) = (places.next(), places.next()) else {
        return if words.iter().any(changes) { Err(why) } else { Ok(Next::Same) };
    };
    if words[..at].iter().any(|word| matches!(*word, "if" | "switch" | "while" | "for")) {
        return Err(why);
    }
    if words[at] == "yy_pop_state" {
        return Ok(Next::Back);
    }
    words.get(at + 1).and_then(|name| condition(conditions, name)).map(Next::To).ok_or(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_real_files_have() {
        let text = r#"
%{
#include "y.tab.h"
%}
%option noyywrap
%x STR
%s NAME
D   [0-9]
E   [eE][+-]?{D}+
 int x;
%%
 /* a comment */
{D}+        |
{D}+{E}     { yylval = atoi(yytext); return NUMBER; }
"if"/[ ]    return IF;
[a-z]{-}[x]+   return(ID);
<NAME>foo   { return FOO; }
<STR>
{
  [^"]+     { return TEXT; }
  \"        { BEGIN 0; return END; }
}
\"          { BEGIN(STR); }
^#.*        { if (x) BEGIN(STR); }
[()]        { return (int) (yytext[0]); }
[-+*/()]    return *yytext;
"/*"        { int c = input(); }
[ \t\n]+    ;
.           { fprintf(stderr, "bad: }"); }
<<EOF>>     { return 0; }
%%
int main() {}
"#;
        let lexer = read(Source { name: "t.l", text }).unwrap();
        let actions: Vec<String> = lexer
            .rules
            .iter()
            .map(|rule| match &rule.action {
                LexAction::Token(tokens) => tokens.join("|"),
                action => format!("{action:?}"),
            })
            .collect();
        assert_eq!(
            actions,
            [
                "NUMBER", "NUMBER", "IF", "ID", "FOO", "TEXT", "END", "Skip", "Unknown", "Itself", "Itself", "Unknown",
                "Skip", "Skip"
            ]
        );
        assert_eq!(lexer.notes.len(), 2);
        assert_eq!(lexer.rules[2].trailing.as_ref().map(|it| it.len), Some(Some(1)));
        let conditions: Vec<&[u32]> = lexer.rules[3..8].iter().map(|rule| &rule.conditions[..]).collect();
        assert_eq!(conditions, [&[0, 2][..], &[2], &[1], &[1], &[0, 2]]);
        assert_eq!((lexer.rules[6].next, lexer.rules[7].next), (Next::To(0), Next::To(1)));
    }

    #[test]
    fn mistakes_are_pointed_at() {
        let error = |text| read(Source { name: "t.l", text }).unwrap_err().to_string();
        assert_eq!(error("%%\n[a-z return A;"), "t.l:2:1: error: this `[` has no `]`\n 2 | [a-z return A;\n   | ^");
        assert!(error("%%\n{D}+ return A;").contains("no definition of `D` comes before this"));
        assert!(error("%%\n(ab return A;").contains("never closed"));
        assert!(error("%%\n<X>a return A;").contains("no `%s` or `%x` declares one of these"));
        assert!(error("%%\n+a return A;").contains("nothing before `+` to repeat"));
    }
}
