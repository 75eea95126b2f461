//! Just as much of the text of LLVM IR as is needed to find a loop in it: functions, blocks, where they lead, and places.

use std::collections::{BTreeSet, HashMap};

/// A module, with the bodies of its functions apart.
pub struct Module<'t> {
    /// What stands before each body, and behind the last one.
    between: Vec<Vec<&'t str>>,
    pub bodies: Vec<Body<'t>>,
    /// By name of a `DILocation`.
    pub locations: HashMap<&'t str, (u32, u32)>,
    /// By name of a `DILocalVariable`: its name in the source, and the line.
    pub variables: HashMap<&'t str, (&'t str, u32)>,
}

pub struct Body<'t> {
    /// As debug info has it.
    pub function: &'t str,
    blocks: Vec<Block<'t>>,
    /// Local variables: the address, and the name of the `DILocalVariable`.
    pub declared: Vec<(&'t str, &'t str)>,
}

#[derive(Default)]
struct Block<'t> {
    lines: Vec<&'t str>,
    /// Behind the label and what has to come first, and before what ends the block.
    first: Vec<String>,
    last: Vec<String>,
    successors: Vec<usize>,
}

/// A loop by the number of its head, and all of its blocks.
type Loop = (usize, BTreeSet<usize>);

impl<'t> Module<'t> {
    pub fn of(text: &'t str) -> Self {
        let mut between = vec![Vec::new()];
        let mut bodies = Vec::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            between.last_mut().expect("there is one").push(line);
            let Some(function) = line.strip_prefix("define ").and_then(function_name) else { continue };
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "}").collect();
            bodies.push(Body::of(function, &body));
            between.push(vec!["}"]);
        }
        let locations = text.lines().filter_map(location).collect();
        let variables = text.lines().filter_map(local_variable).collect();
        Self { between, bodies, locations, variables }
    }

    pub fn text(&self) -> String {
        let mut lines: Vec<&str> = Vec::new();
        for (idx, between) in self.between.iter().enumerate() {
            lines.extend(between);
            let blocks = self.bodies.get(idx).map(|body| &body.blocks[..]).unwrap_or_default();
            for block in blocks {
                let (head, rest) = block.lines.split_at(block.n_head());
                let (rest, end) = rest.split_at(block.end() - head.len());
                lines.extend(head);
                lines.extend(block.first.iter().map(String::as_str));
                lines.extend(rest);
                lines.extend(block.last.iter().map(String::as_str));
                lines.extend(end);
            }
        }
        lines.join("\n") + "\n"
    }
}

impl<'t> Body<'t> {
    fn of(function: &'t str, lines: &[&'t str]) -> Self {
        let mut blocks = vec![Block::default()];
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for line in lines {
            if let Some(label) = label(line) {
                // The first block need not have one.
                if !blocks[0].lines.is_empty() {
                    blocks.push(Block::default());
                }
                numbers.insert(label, blocks.len() - 1);
            }
            blocks.last_mut().expect("there is one").lines.push(line);
        }
        for block in &mut blocks {
            let targets = block.lines.iter().flat_map(|line| line.split("label %").skip(1));
            let targets = targets.filter_map(|rest| numbers.get(rest.split([',', ' ', ']']).next()?));
            block.successors = targets.copied().collect();
        }
        Self { function, blocks, declared: lines.iter().filter_map(|line| declaration(line)).collect() }
    }

    /// The head of the one loop with an instruction at a place: of those that contain each other, the innermost, unless the place is
    /// in the head of just one.
    pub fn head_at(&self, locations: &HashMap<&str, (u32, u32)>, place: (u32, u32)) -> Option<usize> {
        let loops = self.loops();
        let is_at = |line: &&str| dbg(line).and_then(|name| locations.get(name)) == Some(&place);
        let at: Vec<usize> = (0..self.blocks.len()).filter(|&idx| self.blocks[idx].lines.iter().any(is_at)).collect();
        let around = |idx: &usize| {
            let all = loops.iter().filter(|(_, blocks)| blocks.contains(idx));
            all.min_by_key(|(_, blocks)| blocks.len()).map(|&(head, _)| head)
        };
        let innermost: BTreeSet<usize> = at.iter().filter_map(around).collect();
        let heads: BTreeSet<usize> = innermost.iter().copied().filter(|head| at.contains(head)).collect();
        let one = |set: &BTreeSet<usize>| set.first().copied().filter(|_| set.len() == 1);
        one(&heads).or_else(|| one(&innermost))
    }

    pub fn insert_at(&mut self, head: usize, line: String) {
        self.blocks[head].first.push(line);
    }

    pub fn insert_before_end(&mut self, block: usize, line: String) {
        self.blocks[block].last.push(line);
    }

    /// Blocks outside of a loop from which control comes to its head.
    pub fn entries_of(&self, head: usize) -> Vec<usize> {
        let Some((_, blocks)) = self.loops().into_iter().find(|(other, _)| *other == head) else { return Vec::new() };
        let comes = |idx: &usize| self.blocks[*idx].successors.contains(&head) && !blocks.contains(idx);
        (0..self.blocks.len()).filter(comes).collect()
    }

    /// Loops by the edges that lead back in a depth-first walk; those with one head are one.
    fn loops(&self) -> Vec<Loop> {
        let mut tails: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut is_open = vec![false; self.blocks.len()];
        let mut is_seen = is_open.clone();
        let mut stack = vec![(0, 0)];
        (is_open[0], is_seen[0]) = (true, true);
        while let Some((idx, next)) = stack.last_mut() {
            let from = *idx;
            let Some(&to) = self.blocks[from].successors.get(*next) else {
                is_open[from] = false;
                stack.pop();
                continue;
            };
            *next += 1;
            if is_open[to] {
                tails.entry(to).or_default().push(from);
            } else if !is_seen[to] {
                (is_open[to], is_seen[to]) = (true, true);
                stack.push((to, 0));
            }
        }
        let mut loops: Vec<Loop> = tails.into_iter().map(|(head, tails)| (head, self.before(head, tails))).collect();
        loops.sort_unstable_by_key(|(head, _)| *head);
        loops
    }

    /// All blocks from which control comes to some others without passing the head, and that.
    fn before(&self, head: usize, tails: Vec<usize>) -> BTreeSet<usize> {
        let mut all = BTreeSet::from([head]);
        let mut waiting = tails;
        while let Some(idx) = waiting.pop() {
            if all.insert(idx) {
                waiting.extend((0..self.blocks.len()).filter(|&from| self.blocks[from].successors.contains(&idx)));
            }
        }
        all
    }
}

impl Block<'_> {
    /// The label and the lines that nothing may come before.
    fn n_head(&self) -> usize {
        let is_head = |line: &&&str| label(line).is_some() || line.trim().is_empty() || line.contains(" = phi ");
        self.lines.iter().take_while(is_head).count()
    }

    /// Where the line is that ends the block.
    fn end(&self) -> usize {
        let ends = |line: &&str| {
            let word = line.trim_start().split(' ').next().unwrap_or_default();
            ["br", "switch", "indirectbr", "ret", "unreachable"].contains(&word)
        };
        self.lines.iter().position(ends).unwrap_or(self.lines.len()).max(self.n_head())
    }
}

/// `7:      ; preds = %6, %3`
fn label(line: &str) -> Option<&str> {
    let name = line.split_once(':')?.0;
    let is_name = |character: char| character.is_ascii_alphanumeric() || "._-$".contains(character);
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// The name of an instruction's location.
fn dbg(line: &str) -> Option<&str> {
    line.rsplit_once("!dbg ")?.1.split([',', ' ', ')']).next()
}

/// `!7 = !DILocation(line: 2, column: 9, scope: !5)`
pub fn location(line: &str) -> Option<(&str, (u32, u32))> {
    let (name, rest) = line.split_once(" = ")?;
    let rest = rest.strip_prefix("distinct ").unwrap_or(rest).strip_prefix("!DILocation(line: ")?;
    let (line, rest) = rest.split_once(',')?;
    let column = rest.trim_start().strip_prefix("column: ")?.split([',', ')']).next()?;
    Some((name, (line.parse().ok()?, column.parse().ok()?)))
}

/// `!7 = !DILocalVariable(name: "i", arg: 1, scope: !5, file: !1, line: 2, type: !9)`
fn local_variable(line: &str) -> Option<(&str, (&str, u32))> {
    let (id, rest) = line.split_once(" = !DILocalVariable(name: \"")?;
    let (name, rest) = rest.split_once('"')?;
    let line = rest.split_once(", line: ")?.1.split([',', ')']).next()?;
    Some((id, (name, line.parse().ok()?)))
}

/// A variable and what declares it, as a record or as a call of an intrinsic.
fn declaration(line: &str) -> Option<(&str, &str)> {
    let (_, rest) =
        line.split_once("dbg_declare(ptr ").or_else(|| line.split_once("llvm.dbg.declare(metadata ptr "))?;
    let (address, rest) = rest.split_once(", ")?;
    Some((address, rest.strip_prefix("metadata ").unwrap_or(rest).split(',').next()?))
}

/// What follows `define`: the name under which debug info has it.
pub fn function_name(rest: &str) -> Option<&str> {
    let name = rest.split_once('@')?.1.split_once('(')?.0.trim_matches('"');
    Some(name.strip_prefix(crate::own_symbols::PREFIX).unwrap_or(name))
}
