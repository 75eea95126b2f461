//! Lexers of lex and flex, as projects write them. What a rule does is read off its action: the token that it returns, or nothing. A
//! rule whose action does more than that makes no text, but longest match knows of it.
//!
//! Of start conditions, the rules of `INITIAL` and of inclusive conditions are read, as one lexer; those of exclusive ones are left out.

use super::bison::literal_name;
use super::pattern::{self, Definitions, Pattern};
use super::{Result, Scanner};
use crate::diagnostic::{Severity, Source};
use crate::model::{LexAction, LexRule, Lexer};
use regex_syntax::hir::Hir;

/// Reads a `.l` file.
pub fn read(source: Source<'_>) -> Result<Lexer> {
    let mut reader = Reader {
        scanner: Scanner::new(source),
        lexer: Lexer { is_longest_match: true, ..Lexer::default() },
        definitions: Definitions::new(),
        exclusive: Vec::new(),
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
    exclusive: Vec<String>,
    /// Patterns whose action is that of the next: `|`.
    pending: Vec<(Pattern, bool, usize)>,
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
            if self.scanner.eat("%x") || self.scanner.eat("%X") {
                let names = self.scanner.line_rest();
                self.exclusive
                    .extend(names.split_whitespace().filter(|name| !name.starts_with("xclusive")).map(str::to_owned));
            } else if self.scanner.eat("%top") {
                self.scanner.skip_space(false)?;
                self.scanner.braced()?;
            } else if self.scanner.eat("%") {
                self.scanner.line_rest();
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
        // Whether the rules of a group in braces are left out.
        let mut group: Option<bool> = None;
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
            let mut is_left_out = group.unwrap_or(false);
            if self.scanner.rest().starts_with('<') && !self.scanner.rest().starts_with("<<") {
                self.scanner.bump();
                let names = self.scanner.take_while(|c| c != '>');
                self.scanner.bump();
                is_left_out |= names.split(',').all(|name| self.exclusive.iter().any(|it| it == name.trim()));
                if self.scanner.eat("{") {
                    group = Some(is_left_out);
                    continue;
                }
            }
            self.rule(is_left_out)?;
        }
    }

    fn rule(&mut self, is_left_out: bool) -> Result<()> {
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
        self.pending.push((pattern, is_left_out || is_eof, line));
        if action.trim() == "|" {
            return Ok(());
        }
        let (action, why) = read_action(&action, &self.exclusive);
        for (pattern, is_left_out, line) in std::mem::take(&mut self.pending) {
            if is_left_out {
                continue;
            }
            let limited = match &pattern {
                Pattern { trailing: Some(_), .. } => Some("it depends on what follows"),
                Pattern { is_anchored: true, .. } => Some("it matches at the start of a line only"),
                _ => None,
            };
            let why = why.or(limited.filter(|_| action != LexAction::Skip));
            if let Some(why) = why {
                let note = format!("no text is made from `{text}`: {why}");
                self.lexer.notes.push(self.scanner.source.diagnose(Severity::Note, from..from + text.len(), note));
            }
            let hir = Hir::concat([Some(pattern.hir), pattern.trailing].into_iter().flatten().collect());
            let action = if why.or(limited).is_some() { LexAction::Unknown } else { action.clone() };
            if let LexAction::Token(tokens) = &action
                && tokens.len() > 1
            {
                let note = format!("`{text}` may be any of {}", tokens.join(", "));
                self.lexer.notes.push(self.scanner.source.diagnose(Severity::Note, from..from + text.len(), note));
            }
            self.lexer.rules.push(LexRule { pattern: hir, action, line });
        }
        Ok(())
    }
}

/// What an action does, or why that can't be said.
fn read_action(code: &str, exclusive: &[String]) -> (LexAction, Option<&'static str>) {
    let words: Vec<&str> =
        code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let does = |name: &str| words.contains(&name);
    let why = if does("input") || does("yyinput") || does("unput") {
        Some("its action reads input itself")
    } else if does("yyless") || does("yymore") || does("REJECT") {
        Some("its action changes what is matched")
    } else if does("BEGIN") || does("yy_push_state") {
        let is_exclusive = words.iter().any(|word| exclusive.iter().any(|name| name == word));
        let is_conditional = does("if") || does("switch");
        (is_exclusive || is_conditional).then_some("its action changes the start condition")
    } else {
        None
    };
    if why.is_some() {
        return (LexAction::Unknown, why);
    }
    let mut tokens = Vec::new();
    for (at, _) in code.match_indices("return") {
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        if is_word(code[..at].chars().next_back()) || is_word(code[at + 6..].chars().next()) {
            continue;
        }
        let value = code[at + 6..].split(';').next().unwrap_or_default();
        let value =
            value.trim().trim_start_matches("(int)").trim_matches(|c: char| c == '(' || c == ')' || c.is_whitespace());
        let value = value.rsplit("::").next().unwrap_or(value);
        if value.starts_with('\'') {
            let bytes = Scanner::new(Source { name: "", text: value }).quoted();
            tokens.extend(bytes.ok().map(|bytes| literal_name(&bytes)));
        } else if value.starts_with("yytext[0]") || value.starts_with("*yytext") || value.starts_with("yytext [0]") {
            return (LexAction::Itself, None);
        } else if !value.is_empty()
            && value.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !value.starts_with(|c: char| c.is_ascii_digit())
        {
            tokens.push(value.to_owned());
        } else if value.starts_with(|c: char| c.is_ascii_digit()) {
            return (LexAction::Unknown, Some("it ends the input"));
        } else {
            return (LexAction::Unknown, Some("what its action returns is computed"));
        }
    }
    tokens.sort();
    tokens.dedup();
    match tokens.is_empty() {
        true => (LexAction::Skip, None),
        false => (LexAction::Token(tokens), None),
    }
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
<STR>{
  [^"]+     { more(); }
}
\"          { BEGIN(STR); }
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
            ["NUMBER", "NUMBER", "Unknown", "ID", "FOO", "Unknown", "Itself", "Unknown", "Skip", "Skip"]
        );
        assert_eq!(lexer.notes.len(), 3);
    }

    #[test]
    fn mistakes_are_pointed_at() {
        let error = |text| read(Source { name: "t.l", text }).unwrap_err().to_string();
        assert_eq!(error("%%\n[a-z return A;"), "t.l:2:1: error: this `[` has no `]`\n 2 | [a-z return A;\n   | ^");
        assert!(error("%%\n{D}+ return A;").contains("no definition of `D` comes before this"));
        assert!(error("%%\n(ab return A;").contains("never closed"));
        assert!(error("%%\n+a return A;").contains("nothing before `+` to repeat"));
    }
}
