//! The values of one variable in a box: from a first to a last one, always the same step apart.

use super::value::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progression {
    pub width: u32,
    pub first: u64,
    /// One of the values.
    pub last: u64,
    pub step: u64,
}

/// How a progression is taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Split {
    /// Into the lower and the upper half.
    Halves,
    /// By the remainder modulo this many times the step.
    Remainders(u64),
}

impl Progression {
    pub fn new(width: u32, first: u64, last: u64) -> Self {
        Progression { width, first, last, step: 1 }
    }

    /// How many values there are; one less than there are if that does not fit.
    pub fn len(&self) -> u64 {
        ((self.last - self.first) / self.step).saturating_add(1)
    }

    pub fn get(&self, at: u64) -> u64 {
        self.first + at * self.step
    }

    pub fn value(&self) -> Value {
        Value::progression(self.width, self.first, self.last, self.step)
    }

    /// The value that is nearest to this one.
    pub fn nearest(&self, to: u64) -> u64 {
        if to <= self.first {
            return self.first;
        }
        let below = self.first + (to.min(self.last) - self.first) / self.step * self.step;
        match below.checked_add(self.step) {
            Some(above) if above <= self.last && above.abs_diff(to) < below.abs_diff(to) => above,
            _ => below,
        }
    }

    /// The parts, of which there are at least two if there are two values. Remainders that nothing has are left out.
    pub fn split(&self, split: Split) -> impl Iterator<Item = Progression> + use<> {
        let whole = *self;
        let n = match split {
            Split::Halves => 2.min(self.len()),
            Split::Remainders(n) => n.min(self.len()),
        };
        (0..n).map(move |at| match split {
            Split::Halves => {
                let half = whole.len() / 2;
                match at {
                    0 if n == 2 => Progression { last: whole.get(half - 1), ..whole },
                    _ => Progression { first: whole.get(if n == 2 { half } else { 0 }), ..whole },
                }
            }
            Split::Remainders(n_classes) => {
                // With one value in each class, the step does not matter and may be too large to be said.
                let step = whole.step.saturating_mul(n_classes);
                let first = whole.get(at);
                Progression { first, last: first + (whole.last - first) / step * step, step, ..whole }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(of: &Progression) -> Vec<u64> {
        (0..of.len()).map(|at| of.get(at)).collect()
    }

    #[test]
    fn parts_are_the_whole() {
        let all = [
            Progression { width: 8, first: 3, last: 3, step: 1 },
            Progression { width: 8, first: 3, last: 4, step: 1 },
            Progression { width: 8, first: 0, last: 255, step: 1 },
            Progression { width: 8, first: 5, last: 250, step: 7 },
        ];
        for (whole, split) in all
            .iter()
            .flat_map(|whole| [Split::Halves, Split::Remainders(2), Split::Remainders(7)].map(|split| (whole, split)))
        {
            let mut parts: Vec<u64> = whole.split(split).flat_map(|part| values(&part)).collect();
            parts.sort_unstable();
            assert_eq!(parts, values(whole), "{whole:?} {split:?}");
            assert!(whole.len() == 1 || whole.split(split).count() > 1);
        }
    }

    #[test]
    fn wide_ones_are_split_too() {
        let whole = Progression::new(64, 0, u64::MAX);
        let halves: Vec<_> = whole.split(Split::Halves).collect();
        assert_eq!((halves[0].first, halves[1].last), (0, u64::MAX));
        assert_eq!(halves[0].last + 1, halves[1].first);
        let odd = whole.split(Split::Remainders(2)).nth(1).expect("two");
        assert_eq!((odd.first, odd.last, odd.step), (1, u64::MAX, 2));
    }

    #[test]
    fn nearest_values() {
        let some = Progression { width: 8, first: 5, last: 26, step: 7 };
        for to in 0..40u64 {
            let expected = values(&some).into_iter().min_by_key(|value| (value.abs_diff(to), *value));
            assert_eq!(Some(some.nearest(to)), expected, "{to}");
        }
    }
}
