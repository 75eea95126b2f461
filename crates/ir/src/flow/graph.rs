//! Directed graphs over `0..n`, and the traversals that the analyses share.

/// Successors and predecessors of each node, both in one flat array.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    succs: Adjacency,
    preds: Adjacency,
}

#[derive(Clone, Debug)]
struct Adjacency {
    /// `targets[starts[n]..starts[n + 1]]` are the neighbours of `n`.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Adjacency {
    fn new(n_nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0u32; n_nodes + 1];
        for (from, _) in edges.clone() {
            starts[from as usize + 1] += 1;
        }
        for node in 0..n_nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; starts[n_nodes] as usize];
        for (from, to) in edges {
            let slot = &mut next[from as usize];
            targets[*slot as usize] = to;
            *slot += 1;
        }
        Self { starts, targets }
    }

    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.targets[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

impl Graph {
    pub fn new(n_nodes: usize, edges: &[(u32, u32)]) -> Self {
        Self {
            succs: Adjacency::new(n_nodes, edges.iter().copied()),
            preds: Adjacency::new(n_nodes, edges.iter().map(|&(from, to)| (to, from))),
        }
    }

    pub fn reversed(self) -> Self {
        Self { succs: self.preds, preds: self.succs }
    }

    pub fn n_nodes(&self) -> usize {
        self.succs.starts.len() - 1
    }

    pub fn succs(&self, node: u32) -> &[u32] {
        self.succs.of(node)
    }

    pub fn preds(&self, node: u32) -> &[u32] {
        self.preds.of(node)
    }

    /// The nodes that `root` reaches, each before its successors except along retreating edges.
    pub fn reverse_postorder(&self, root: u32) -> Vec<u32> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.n_nodes()];
        let mut stack = vec![(root, 0)];
        seen[root as usize] = true;
        while let Some((node, next)) = stack.last_mut() {
            match self.succs(*node).get(*next) {
                Some(&succ) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[succ as usize], true) {
                        stack.push((succ, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// The strongly connected components among `nodes`, looking only at edges between them; a component comes after
    /// those that it leads to. (Tarjan's algorithm with an explicit stack.)
    pub fn components(&self, nodes: &[u32]) -> Vec<Vec<u32>> {
        let mut search = ComponentSearch {
            graph: self,
            states: vec![State::Outside; self.n_nodes()],
            n_visited: 0,
            open: Vec::new(),
            calls: Vec::new(),
            found: Vec::new(),
        };
        nodes.iter().for_each(|&node| search.states[node as usize] = State::Unvisited);
        for &node in nodes {
            if search.states[node as usize] == State::Unvisited {
                search.run_from(node);
            }
        }
        search.found
    }

    /// Does a component of one node have an edge to itself?
    pub fn has_self_edge(&self, node: u32) -> bool {
        self.succs(node).contains(&node)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Outside,
    Unvisited,
    /// On the stack of open nodes, with the lowest visit number known to be reachable.
    Open {
        low: u32,
    },
    Done,
}

struct ComponentSearch<'g> {
    graph: &'g Graph,
    states: Vec<State>,
    n_visited: u32,
    open: Vec<u32>,
    /// Node, its visit number, and the next successor to look at.
    calls: Vec<(u32, u32, usize)>,
    found: Vec<Vec<u32>>,
}

impl ComponentSearch<'_> {
    fn enter(&mut self, node: u32) {
        self.states[node as usize] = State::Open { low: self.n_visited };
        self.calls.push((node, self.n_visited, 0));
        self.open.push(node);
        self.n_visited += 1;
    }

    fn run_from(&mut self, root: u32) {
        self.enter(root);
        while let Some((node, number, next)) = self.calls.last_mut() {
            let (node, number) = (*node, *number);
            match self.graph.succs(node).get(*next) {
                Some(&succ) => {
                    *next += 1;
                    match self.states[succ as usize] {
                        State::Unvisited => self.enter(succ),
                        State::Open { low } => self.lower(node, low),
                        State::Outside | State::Done => {}
                    }
                }
                None => {
                    self.calls.pop();
                    self.leave(node, number);
                }
            }
        }
    }

    fn leave(&mut self, node: u32, number: u32) {
        let State::Open { low } = self.states[node as usize] else { return };
        if low == number {
            let start = self.open.iter().rposition(|&open| open == node).unwrap_or(0);
            let component = self.open.split_off(start);
            component.iter().for_each(|&member| self.states[member as usize] = State::Done);
            self.found.push(component);
        } else if let Some(&(caller, ..)) = self.calls.last() {
            self.lower(caller, low);
        }
    }

    fn lower(&mut self, node: u32, bound: u32) {
        if let State::Open { low } = &mut self.states[node as usize] {
            *low = (*low).min(bound);
        }
    }
}
