//! Which variable to decide next: those of the query only, the ones that conflicts are about first.
//!
//! Until there is a conflict, the order is that of the query, which begins with its inputs: once these have values, all
//! else follows, and nothing was sorted. From the first conflict on it is a heap by activity.

#[derive(Default)]
pub(super) struct Order {
    activities: Vec<f64>,
    increment: f64,
    /// By variable: whether the query is about it.
    in_scope: Vec<bool>,
    scope: Vec<u32>,
    /// Up to here in `scope` all are assigned, as long as there is no heap.
    cursor: usize,
    has_heap: bool,
    heap: Vec<u32>,
    /// Where in `heap` a variable is.
    positions: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;
const DECAY: f64 = 0.95;
const MAX_ACTIVITY: f64 = 1e100;

impl Order {
    pub fn add_var(&mut self) {
        self.activities.push(0.0);
        self.in_scope.push(false);
        self.positions.push(NOWHERE);
    }

    /// Begins a query about these variables.
    pub fn begin(&mut self, scope: &[u32]) {
        for &var in &self.scope {
            self.in_scope[var as usize] = false;
        }
        for &var in &self.heap {
            self.positions[var as usize] = NOWHERE;
        }
        self.heap.clear();
        self.scope.clear();
        self.scope.extend_from_slice(scope);
        for &var in scope {
            self.in_scope[var as usize] = true;
        }
        self.cursor = 0;
        self.has_heap = false;
        if self.increment == 0.0 {
            self.increment = 1.0;
        }
    }

    /// The next variable to decide, or none if all in scope are assigned.
    pub fn next(&mut self, is_assigned: impl Fn(u32) -> bool) -> Option<u32> {
        if self.has_heap {
            while let Some(var) = self.pop() {
                if !is_assigned(var) {
                    return Some(var);
                }
            }
            return None;
        }
        while let Some(&var) = self.scope.get(self.cursor) {
            self.cursor += 1;
            if !is_assigned(var) {
                return Some(var);
            }
        }
        None
    }

    /// A variable lost its value.
    #[inline]
    pub fn unassigned(&mut self, var: u32) {
        if self.has_heap && self.in_scope[var as usize] && self.positions[var as usize] == NOWHERE {
            self.push(var);
        }
    }

    /// There was a conflict: from now on, activity counts.
    pub fn start_heap(&mut self) {
        if self.has_heap {
            return;
        }
        self.has_heap = true;
        self.heap.extend_from_slice(&self.scope);
        for (at, &var) in self.heap.iter().enumerate() {
            self.positions[var as usize] = at as u32;
        }
        for at in (0..self.heap.len() / 2).rev() {
            self.sift_down(at);
        }
    }

    pub fn bump(&mut self, var: u32) {
        let activity = &mut self.activities[var as usize];
        *activity += self.increment;
        if *activity > MAX_ACTIVITY {
            self.rescale();
        }
        let at = self.positions[var as usize];
        if at != NOWHERE {
            self.sift_up(at as usize);
        }
    }

    pub fn decay(&mut self) {
        self.increment /= DECAY;
    }

    fn rescale(&mut self) {
        for activity in &mut self.activities {
            *activity /= MAX_ACTIVITY;
        }
        self.increment /= MAX_ACTIVITY;
    }

    fn push(&mut self, var: u32) {
        self.positions[var as usize] = self.heap.len() as u32;
        self.heap.push(var);
        self.sift_up(self.heap.len() - 1);
    }

    fn pop(&mut self) -> Option<u32> {
        let first = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.positions[first as usize] = NOWHERE;
        if !self.heap.is_empty() {
            self.heap[0] = last;
            self.positions[last as usize] = 0;
            self.sift_down(0);
        }
        Some(first)
    }

    fn activity_at(&self, at: usize) -> f64 {
        self.activities[self.heap[at] as usize]
    }

    fn put(&mut self, at: usize, var: u32) {
        self.heap[at] = var;
        self.positions[var as usize] = at as u32;
    }

    fn sift_up(&mut self, mut at: usize) {
        let var = self.heap[at];
        let activity = self.activities[var as usize];
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.activity_at(parent) >= activity {
                break;
            }
            self.put(at, self.heap[parent]);
            at = parent;
        }
        self.put(at, var);
    }

    fn sift_down(&mut self, mut at: usize) {
        let var = self.heap[at];
        let activity = self.activities[var as usize];
        loop {
            let left = 2 * at + 1;
            if left >= self.heap.len() {
                break;
            }
            let right = left + 1;
            let larger =
                if right < self.heap.len() && self.activity_at(right) > self.activity_at(left) { right } else { left };
            if self.activity_at(larger) <= activity {
                break;
            }
            self.put(at, self.heap[larger]);
            at = larger;
        }
        self.put(at, var);
    }
}
