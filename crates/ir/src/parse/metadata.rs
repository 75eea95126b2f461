//! Metadata nodes, named metadata and attachments.

use super::Parser;
use super::error::{Fault, Parsed};
use super::lexer::{Token, unescape};
use crate::model::{MdField, MdId, MdNode, MdValue};

/// The module's `!7` numbers.
#[derive(Default)]
pub(super) struct MetadataScope {
    /// The node of each number; a node is `Missing` until its definition is read.
    ids: Vec<Option<MdId>>,
}

impl<'a> Parser<'_, 'a> {
    pub(super) fn mk_node(&mut self, node: MdNode) -> MdId {
        let id = MdId::new(self.program.metadata.nodes.len());
        self.program.metadata.nodes.push(node);
        id
    }

    fn numbered_node(&mut self, number: u32) -> Parsed<MdId> {
        let index = number as usize;
        if let Some(&Some(id)) = self.metadata.ids.get(index) {
            return Ok(id);
        }
        if number >= self.number_limit() {
            return Err(self.cursor.fail("this number is too large"));
        }
        let id = self.mk_node(MdNode::Missing);
        if index >= self.metadata.ids.len() {
            self.metadata.ids.resize(index + 1, None);
        }
        self.metadata.ids[index] = Some(id);
        Ok(id)
    }

    /// `!7 = …` at the top level.
    pub(super) fn numbered_metadata(&mut self, number: u32) -> Parsed<()> {
        let at = self.cursor.start;
        let id = self.numbered_node(number)?;
        self.cursor.bump();
        self.cursor.expect(b'=')?;
        let node = self.node_body()?;
        let place = &mut self.program.metadata.nodes[id.index()];
        if *place != MdNode::Missing {
            return Err(Fault::new(at, format!("metadata `!{number}` is defined twice")));
        }
        *place = node;
        Ok(())
    }

    /// `!llvm.dbg.cu = !{…}` at the top level.
    pub(super) fn named_metadata(&mut self, name: &'a str) -> Parsed<()> {
        self.cursor.bump();
        self.cursor.expect(b'=')?;
        if self.cursor.token != Token::Bang {
            return Err(self.cursor.expected("`!{`"));
        }
        self.cursor.bump();
        self.cursor.expect(b'{')?;
        let mut nodes = Vec::new();
        while !self.cursor.at_punct(b'}') {
            nodes.push(self.metadata_node()?);
            if !self.cursor.eat(b',') {
                break;
            }
        }
        self.cursor.expect(b'}')?;
        let name = unescape(name).into_owned();
        self.module_mut().named_metadata.push((name, nodes));
        Ok(())
    }

    /// A reference to a node, or a node written in place.
    pub(super) fn metadata_node(&mut self) -> Parsed<MdId> {
        if let Token::MdNumber(number) = self.cursor.token {
            let id = self.numbered_node(number)?;
            self.cursor.bump();
            return Ok(id);
        }
        let node = self.node_body()?;
        Ok(self.mk_node(node))
    }

    /// `[distinct] !{…}`, `!DIName(…)` or `!"…"`.
    fn node_body(&mut self) -> Parsed<MdNode> {
        let distinct = self.cursor.eat_word("distinct");
        match self.cursor.token {
            Token::MdName("DILocation") => self.nested(Self::location),
            Token::MdName(name) => self.nested(|p| {
                let fields = p.fields()?;
                Ok(MdNode::Named { distinct, name: name.into(), fields })
            }),
            Token::Bang => {
                self.cursor.bump();
                match self.cursor.token {
                    Token::Str(raw) => {
                        self.cursor.bump();
                        Ok(MdNode::Value(MdValue::String(unescape(raw).into())))
                    }
                    _ => self.nested(|p| Ok(MdNode::Tuple { distinct, elems: p.elements()? })),
                }
            }
            _ => Err(self.cursor.expected("a metadata node")),
        }
    }

    fn elements(&mut self) -> Parsed<Box<[MdValue]>> {
        self.cursor.expect(b'{')?;
        let mut elements = Vec::new();
        while !self.cursor.at_punct(b'}') {
            elements.push(self.metadata_value()?);
            if !self.cursor.eat(b',') {
                break;
            }
        }
        self.cursor.expect(b'}')?;
        Ok(elements.into())
    }

    /// `(name: value, …)` after a class name, which is the current token. Unnamed arguments have an empty name.
    fn fields(&mut self) -> Parsed<Box<[MdField]>> {
        self.cursor.bump();
        self.cursor.expect(b'(')?;
        let mut fields = Vec::new();
        while !self.cursor.at_punct(b')') {
            let name = self.field_name()?;
            fields.push(MdField { name: name.into(), value: self.metadata_value()? });
            if !self.cursor.eat(b',') {
                break;
            }
        }
        self.cursor.expect(b')')?;
        Ok(fields.into())
    }

    /// `name:`, or nothing.
    fn field_name(&mut self) -> Parsed<&'a str> {
        match self.cursor.token {
            Token::Word(name) if self.cursor.at_label() => {
                self.cursor.bump();
                self.cursor.bump();
                Ok(name)
            }
            Token::End | Token::Bad(_) => Err(self.cursor.expected("a field")),
            _ => Ok(""),
        }
    }

    fn location(&mut self) -> Parsed<MdNode> {
        let form = ["(line: ", ", column: ", ", scope: !", ", inlinedAt: !"];
        if let Some([line, column, scope]) = self.cursor.eat_form([form[0], form[1], form[2]], ")") {
            let scope = self.numbered_node(scope)?;
            return Ok(MdNode::Location { line, column, scope, inlined_at: None });
        }
        if let Some([line, column, scope, inlined_at]) = self.cursor.eat_form(form, ")") {
            let [scope, inlined_at] = [self.numbered_node(scope)?, self.numbered_node(inlined_at)?];
            return Ok(MdNode::Location { line, column, scope, inlined_at: Some(inlined_at) });
        }
        let at = self.cursor.start;
        self.cursor.bump();
        self.cursor.expect(b'(')?;
        let (mut line, mut column, mut scope, mut inlined_at) = (0, 0, None, None);
        while !self.cursor.at_punct(b')') {
            match self.field_name()? {
                "line" => line = self.cursor.expect_number()?,
                "column" => column = self.cursor.expect_number()?,
                "scope" => scope = Some(self.metadata_node()?),
                "inlinedAt" => inlined_at = Some(self.metadata_node()?),
                // `isImplicitCode`, and the source atoms of release 21.
                _ => drop(self.metadata_value()?),
            }
            if !self.cursor.eat(b',') {
                break;
            }
        }
        self.cursor.expect(b')')?;
        let scope = scope.ok_or_else(|| Fault::new(at, "a location needs a scope"))?;
        Ok(MdNode::Location { line, column, scope, inlined_at })
    }

    /// An element of a tuple or the value of a field.
    fn metadata_value(&mut self) -> Parsed<MdValue> {
        let value = match self.cursor.token {
            Token::MdNumber(number) => MdValue::Node(self.numbered_node(number)?),
            Token::Str(raw) => MdValue::String(unescape(raw).into()),
            Token::Integer(digits) => match digits.parse() {
                Ok(value) => MdValue::Int(value),
                // An enumerator of a very wide integer type.
                Err(_) => MdValue::Symbol(digits.into()),
            },
            Token::Word("null") => MdValue::Null,
            Token::Word("true") => MdValue::Bool(true),
            Token::Word("false") => MdValue::Bool(false),
            Token::Word("distinct") | Token::Bang | Token::MdName(_) => {
                return Ok(match self.node_body()? {
                    MdNode::Value(value) => value,
                    node => MdValue::Node(self.mk_node(node)),
                });
            }
            _ if self.at_type() => return self.typed_constant().map(MdValue::Const),
            Token::Word(_) => return self.symbol_value(),
            _ => return Err(self.cursor.expected("metadata")),
        };
        self.cursor.bump();
        Ok(value)
    }

    /// `DIFlagPrototyped | DIFlagAllCallsDescribed`.
    fn symbol_value(&mut self) -> Parsed<MdValue> {
        let mut text = String::new();
        while let Token::Word(word) = self.cursor.token {
            text.push_str(word);
            self.cursor.bump();
            if !self.cursor.eat(b'|') {
                return Ok(MdValue::Symbol(text.into()));
            }
            text.push_str(" | ");
        }
        Err(self.cursor.expected("a flag"))
    }

    /// `!kind !7` or `!kind !{…}`; the node if the kind is `dbg`.
    pub(super) fn attachment(&mut self) -> Parsed<Option<MdId>> {
        if self.cursor.token != Token::MdName("dbg") {
            self.skip_attachment()?;
            return Ok(None);
        }
        self.cursor.bump();
        self.metadata_node().map(Some)
    }

    fn skip_attachment(&mut self) -> Parsed<()> {
        match self.cursor.token {
            Token::MdName(_) => self.cursor.bump(),
            _ => return Err(self.cursor.expected("an attachment")),
        }
        self.skip_node()
    }

    /// Whether the current `!name` is an attachment and not the start of `!name = …`.
    pub(super) fn at_attachment(&self) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.bump();
        !ahead.at_punct(b'=')
    }

    /// Passes over a node that nothing needs.
    pub(super) fn skip_node(&mut self) -> Parsed<()> {
        match self.cursor.token {
            Token::MdNumber(_) => {
                self.cursor.bump();
                Ok(())
            }
            Token::Bang | Token::MdName(_) => {
                self.cursor.bump();
                self.cursor.skip_group()
            }
            _ => Err(self.cursor.expected("a metadata node")),
        }
    }
}
