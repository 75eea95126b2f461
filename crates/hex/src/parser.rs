//! The grammar, by recursive descent. A rule that can't be read is reported and skipped up to its end, so that one reading finds several mistakes.
//!
//! ```text
//! rule    = clause | "in" type "{" rule* "}" | "when" path "check" NAME ["(" path,… ")"]
//! clause  = unit ("or" unit)* | "if" unit "then" unit          unit = ["not"] ( atom | "(" clause ")" )
//! atom    = path ( "not null" | "is null" | "is" path | "expands to" ("nothing" | place ("|" place)*)
//!                | "aliases" ("nothing" | "some" type | ["max"] path) )
//! path    = regex over PARAM, "::" GLOBAL, "this", "any", ".member", "[*]", "[3]" with ( ) | * + ?
//! place   = type (".member" | "[3]")*
//! ```
//! A `(` opens a path if its `)` is followed by a step, a repetition, `|` or a verb.

use crate::diagnostic::{Diagnostic, Severity, Source, Span};
use crate::lexer::{Token, tokens};
use crate::syntax::{Atom, Formula, Item, ItemKind, Path, Pattern, PlaceName, Regex, TypeName, Verb};
use crate::types::Step;

/// All rules of the sources, in order.
pub(crate) fn parse(sources: &[Source]) -> Result<Vec<Item>, Vec<Diagnostic>> {
    let mut items = Vec::new();
    let mut errors = Vec::new();
    for (i, source) in sources.iter().enumerate() {
        match tokens(i as u32, &source.text) {
            Ok(tokens) => Parser { tokens, at: 0, items: &mut items, errors: &mut errors }.rules(None),
            Err(e) => errors.push(e),
        }
    }
    let report = |(span, message)| Diagnostic::new(sources, span, Severity::Error, message);
    if errors.is_empty() { Ok(items) } else { Err(errors.into_iter().map(report).collect()) }
}

type Error = (Span, String);
type Parsed<T> = Result<T, Error>;

struct Parser<'a> {
    tokens: Vec<(Token, Span)>,
    at: usize,
    items: &'a mut Vec<Item>,
    errors: &'a mut Vec<Error>,
}

const VERBS: [&str; 4] = ["not", "is", "expands", "aliases"];

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn peek_after(&self, n: usize) -> &Token {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn takes(&mut self, token: &Token) -> bool {
        let is_it = self.peek() == token;
        if is_it {
            self.next();
        }
        is_it
    }

    fn takes_sign(&mut self, c: char) -> bool {
        self.takes(&Token::Sign(c))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_it = self.is_word(word);
        if is_it {
            self.next();
        }
        is_it
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        let found = match self.peek() {
            Token::End | Token::Eof => "the rule ends".to_string(),
            Token::Word(w) => format!("found `{w}`"),
            Token::Number(n) => format!("found `{n}`"),
            Token::Dot => "found `.`".into(),
            Token::Scope => "found `::`".into(),
            Token::Sign(c) => format!("found `{c}`"),
        };
        Err((self.span(), format!("expected {what}, {found}")))
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.takes_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn expect_sign(&mut self, c: char) -> Parsed<()> {
        if self.takes_sign(c) { Ok(()) } else { self.expected(&format!("`{c}`")) }
    }

    /// A rule may go on in the next line where it can't end yet.
    fn skip_ends(&mut self) {
        while self.takes(&Token::End) {}
    }

    /// Whether the rule goes on with `word`, perhaps in the next line.
    fn goes_on_with(&mut self, word: &str) -> bool {
        let before = self.at;
        self.skip_ends();
        if self.takes_word(word) {
            self.skip_ends();
            return true;
        }
        self.at = before;
        false
    }

    /// Up to the end of the source, or the `}` of this `in`.
    fn rules(&mut self, anchor: Option<&TypeName>) {
        loop {
            self.skip_ends();
            match self.peek() {
                Token::Eof => return,
                Token::Sign('}') if anchor.is_some() => return,
                _ => {}
            }
            let before = self.at;
            if let Err(error) = self.rule(anchor) {
                self.errors.push(error);
                let is_end =
                    |t: &Token| matches!(t, Token::End | Token::Eof) || anchor.is_some() && *t == Token::Sign('}');
                while !is_end(self.peek()) {
                    self.next();
                }
                if self.at == before {
                    self.next();
                }
            }
        }
    }

    fn rule(&mut self, anchor: Option<&TypeName>) -> Parsed<()> {
        let start = self.span();
        if self.opens_block() {
            self.next();
            if anchor.is_some() {
                return Err((start, "`in` inside of `in`: close the outer one first".into()));
            }
            let ty = self.type_name()?;
            self.expect_sign('{')?;
            self.rules(Some(&ty));
            if !self.takes_sign('}') {
                return Err((start, format!("this `in {}` has no `}}`", ty.name)));
            }
            return Ok(());
        }
        let kind = if self.takes_word("when") { self.companion()? } else { ItemKind::Rule(self.clause()?) };
        let span = start.to(self.last_span());
        match self.peek() {
            Token::End | Token::Eof => {}
            Token::Sign('}') if anchor.is_some() => {}
            Token::Word(w) if w == "and" => {
                return Err((self.span(), "there is no `and`: write two rules, all of them must hold".into()));
            }
            _ => return self.expected("the end of the rule (`;` or a new line), or `or`"),
        }
        self.items.push(Item { anchor: anchor.cloned(), span, kind });
        Ok(())
    }

    /// `in struct node {`; but a parameter may be called `in`.
    fn opens_block(&self) -> bool {
        let is_type = |t: &Token| matches!(t, Token::Word(w) if !VERBS.contains(&w.as_str()));
        self.is_word("in") && is_type(self.peek_after(1))
    }

    fn companion(&mut self) -> Parsed<ItemKind> {
        let path = self.path()?;
        self.expect_word("check")?;
        let Token::Word(function) = self.peek().clone() else { return self.expected("the name of a function") };
        self.next();
        let mut args = None;
        if self.takes_sign('(') {
            let mut list = Vec::new();
            while !self.takes_sign(')') {
                if !list.is_empty() {
                    self.expect_sign(',')?;
                }
                list.push(self.path()?);
            }
            args = Some(list);
        }
        Ok(ItemKind::Companion { path, function, args })
    }

    fn clause(&mut self) -> Parsed<Formula> {
        if self.takes_word("if") {
            let condition = self.unit()?;
            if !self.goes_on_with("then") {
                return self.expected("`then`");
            }
            return Ok(Formula::Or(vec![Formula::Not(Box::new(condition)), self.unit()?]));
        }
        let mut units = vec![self.unit()?];
        while self.goes_on_with("or") {
            units.push(self.unit()?);
        }
        Ok(if units.len() == 1 { units.remove(0) } else { Formula::Or(units) })
    }

    fn unit(&mut self) -> Parsed<Formula> {
        if self.takes_word("not") {
            return Ok(Formula::Not(Box::new(self.unit()?)));
        }
        if *self.peek() == Token::Sign('(') && !self.opens_path() {
            self.next();
            self.skip_ends();
            let clause = self.clause()?;
            self.skip_ends();
            self.expect_sign(')')?;
            return Ok(clause);
        }
        Ok(Formula::Atom(Atom { subject: self.path()?, verb: self.verb()? }))
    }

    /// Whether the `(` here belongs to a path.
    fn opens_path(&self) -> bool {
        let mut depth = 0;
        for (i, (token, _)) in self.tokens[self.at..].iter().enumerate() {
            match token {
                Token::Sign('(') => depth += 1,
                Token::Sign(')') => depth -= 1,
                Token::Eof => return false,
                _ => {}
            }
            if depth == 0 {
                return match self.peek_after(i + 1) {
                    Token::Dot | Token::Sign('[' | '(' | '*' | '+' | '?' | '|') => true,
                    Token::Word(w) => VERBS.contains(&w.as_str()),
                    _ => false,
                };
            }
        }
        false
    }

    fn verb(&mut self) -> Parsed<Verb> {
        if self.takes_word("not") {
            self.expect_word("null")?;
            return Ok(Verb::NotNull);
        }
        if self.takes_word("is") {
            return Ok(if self.takes_word("null") { Verb::IsNull } else { Verb::Is(self.path()?) });
        }
        if self.takes_word("expands") {
            self.expect_word("to")?;
            if self.takes_word("nothing") {
                return Ok(Verb::ExpandsToNothing);
            }
            let mut places = vec![self.place()?];
            while self.takes_sign('|') {
                places.push(self.place()?);
            }
            return Ok(Verb::ExpandsTo(places));
        }
        if self.takes_word("aliases") {
            if self.takes_word("nothing") {
                return Ok(Verb::AliasesNothing);
            }
            if self.takes_word("some") {
                return Ok(Verb::AliasesSome(self.type_name()?));
            }
            return Ok(if self.takes_word("max") {
                Verb::AliasesMax(self.path()?)
            } else {
                Verb::Aliases(self.path()?)
            });
        }
        self.expected("what the path must be: `not null`, `is …`, `expands to …` or `aliases …`")
    }

    fn type_name(&mut self) -> Parsed<TypeName> {
        let start = self.span();
        let Token::Word(mut name) = self.peek().clone() else { return self.expected("a type, such as `struct node`") };
        self.next();
        if name == "struct" || name == "union" {
            let Token::Word(tag) = self.peek().clone() else { return self.expected(&format!("a name after `{name}`")) };
            self.next();
            name = format!("{name} {tag}");
        }
        Ok(TypeName { name, span: start.to(self.last_span()) })
    }

    fn place(&mut self) -> Parsed<PlaceName> {
        let ty = self.type_name()?;
        let mut steps = Vec::new();
        while matches!(self.peek(), Token::Dot | Token::Sign('[')) {
            match self.step()? {
                (Pattern::Step(step), _) => steps.push(step),
                (_, span) => return Err((span, "name one element here, such as `[0]`".into())),
            }
        }
        let span = ty.span.to(self.last_span());
        Ok(PlaceName { ty, steps, span })
    }

    fn path(&mut self) -> Parsed<Path> {
        let start = self.span();
        let regex = self.alternatives()?;
        Ok(Path { regex, span: start.to(self.last_span()) })
    }

    fn alternatives(&mut self) -> Parsed<Regex> {
        let mut all = vec![self.sequence()?];
        while self.takes_sign('|') {
            all.push(self.sequence()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Regex::Or(all) })
    }

    fn sequence(&mut self) -> Parsed<Regex> {
        let mut all = Vec::new();
        loop {
            let mut one = match self.peek() {
                Token::Sign('(') => {
                    self.next();
                    let inner = self.alternatives()?;
                    self.expect_sign(')')?;
                    inner
                }
                Token::Dot | Token::Sign('[') => {
                    let (pattern, span) = self.step()?;
                    Regex::Symbol(pattern, span)
                }
                Token::Scope | Token::Word(_) if all.is_empty() => self.start()?,
                _ => break,
            };
            while let Token::Sign(c @ ('*' | '+' | '?')) = *self.peek() {
                self.next();
                one = Regex::Repeat(Box::new(one), c);
            }
            all.push(one);
        }
        match all.len() {
            0 => self.expected("a path, such as `list.next`"),
            1 => Ok(all.remove(0)),
            _ => Ok(Regex::Seq(all)),
        }
    }

    /// What a path may start with: a parameter, a global, the result of a function, `this`, `any`.
    fn start(&mut self) -> Parsed<Regex> {
        let start = self.span();
        let is_global = self.takes(&Token::Scope);
        let Token::Word(name) = self.peek().clone() else { return self.expected("the name of a global after `::`") };
        self.next();
        let is_call = !is_global && *self.peek() == Token::Sign('(') && *self.peek_after(1) == Token::Sign(')');
        if is_call {
            self.next();
            self.next();
        }
        let span = start.to(self.last_span());
        Ok(match name.as_str() {
            _ if is_call => Regex::Symbol(Pattern::Result(name), span),
            _ if is_global => Regex::Symbol(Pattern::Global(name), span),
            "this" => Regex::This(span),
            "any" => Regex::Repeat(Box::new(Regex::Symbol(Pattern::Anything, span)), '*'),
            _ => Regex::Symbol(Pattern::Param(name), span),
        })
    }

    /// `.member`, `[3]` or `[*]`.
    fn step(&mut self) -> Parsed<(Pattern, Span)> {
        let start = self.span();
        let pattern = if self.takes(&Token::Dot) {
            let Token::Word(name) = self.peek().clone() else { return self.expected("the name of a member after `.`") };
            self.next();
            Pattern::Step(Step::Member(name))
        } else {
            self.expect_sign('[')?;
            let pattern = match self.next() {
                Token::Number(n) => Pattern::Step(Step::Index(n)),
                Token::Sign('*') => Pattern::AnyIndex,
                _ => return Err((self.last_span(), "expected a number or `*` between `[` and `]`".into())),
            };
            self.expect_sign(']')?;
            pattern
        };
        Ok((pattern, start.to(self.last_span())))
    }
}
