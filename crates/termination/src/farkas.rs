//! Linear sets that a loop never leaves, over integers without bounds: the guards, and up to two more rows with unknown coefficients
//! (after section 6.4 of the TNT paper).
//!
//! A set `Tx <= t` is never left if each row, for the next state, is a sum of multiples of rows (Farkas' lemma). Coefficients
//! and multiples are unknown both; here multiples of unknown rows are 0, 1 or 2 and coefficients -1, 0 or 1, so that nothing is
//! ever multiplied that is unknown on both sides. A set also has to have a state, from a short list of values.

use crate::linear::{Linear, Row, Sum};
use spelunk_expr::ExprPool;
use spelunk_solver::Limits;
use spelunk_solver::z3::arith::{self, Assignment, Formula, Solution, Term, Var};
use std::time::Duration;

const MOST_ROWS: usize = 2;
const MOST_VARIABLES: usize = 6;
/// How often a set is looked for that is another than before.
const MOST_SETS: usize = 4;

/// Rows beside the guards such that all together are never left, the fewest first. Those that `is_met` refuses are passed over.
pub fn closed_rows(
    pool: &mut ExprPool,
    way: &Linear,
    present: &[i64],
    mut is_met: impl FnMut(&mut ExprPool, &[Row]) -> bool,
) -> Option<Vec<Row>> {
    if way.vars.len() > MOST_VARIABLES {
        return None;
    }
    for n_more in 0..=MOST_ROWS {
        // Small constants first: among sets that differ by these, they are likely the largest.
        for most in [Some(0), Some(1), None] {
            let template = Template::new(way.vars.len(), n_more);
            let mut formulas = template.formulas(way, present, most)?;
            for _ in 0..MOST_SETS {
                let limits = Limits { time: Some(Duration::from_secs(2)), ..Limits::default() };
                let Solution::Sat(found) = arith::solve(pool, &formulas, &limits) else { break };
                let rows = template.rows(&found)?;
                let all: Vec<Row> = way.guards.iter().chain(&rows).cloned().collect();
                if is_met(pool, &all) {
                    return Some(all);
                }
                formulas.push(template.differs_from(&rows));
            }
            if n_more == 0 {
                break;
            }
        }
    }
    None
}

/// Rows whose coefficients and constants are unknown.
struct Template {
    rows: Vec<(Vec<Var>, Var)>,
}

impl Template {
    fn new(n_vars: usize, n_rows: usize) -> Self {
        let row = |row: usize| {
            let coeffs = (0..n_vars).map(|var| Var::int(&format!("T{row},{var}"))).collect();
            (coeffs, Var::int(&format!("t{row}")))
        };
        Self { rows: (0..n_rows).map(row).collect() }
    }

    fn formulas(&self, way: &Linear, present: &[i64], most: Option<i64>) -> Option<Vec<Formula>> {
        let n_guards = way.guards.len();
        let mut all = Vec::new();
        for (coeffs, constant) in &self.rows {
            for coeff in coeffs {
                all.extend([term(coeff).at_least(&Term::from(-1)), term(coeff).at_most(&Term::from(1))]);
            }
            if let Some(most) = most {
                all.extend([term(constant).at_least(&Term::from(-most)), term(constant).at_most(&Term::from(most))]);
            }
        }
        for row in 0..n_guards + self.rows.len() {
            let after = self.after(way, row)?;
            let multiples: Vec<Multiple> = (0..n_guards + self.rows.len())
                .map(|of| if of < n_guards { Multiple::any(row, of) } else { Multiple::small(row, of) })
                .collect();
            for multiple in &multiples {
                all.extend(multiple.is_positive());
            }
            let sum = |place: Option<usize>| {
                let terms = multiples.iter().enumerate().map(|(of, multiple)| match of.checked_sub(n_guards) {
                    None => multiple.of_known(at(&way.guards[of], place)),
                    Some(of) => multiple.of_unknown(self.at(of, place)),
                });
                Term::sum(terms.collect())
            };
            let (coeffs, constant) = after;
            all.extend(coeffs.iter().enumerate().map(|(var, coeff)| sum(Some(var)).equals(coeff)));
            // The row is at most the sum, which is at most zero.
            all.push(constant.at_most(&sum(None)));
        }
        all.extend(self.has_state(way, present));
        Some(all)
    }

    /// The coefficients of a row after the round, and its constant.
    fn after(&self, way: &Linear, row: usize) -> Option<(Vec<Term>, Term)> {
        if row < way.guards.len() {
            let Sum { coeffs, constant } = way.after(&way.guards[row])?;
            return Some((coeffs.into_iter().map(Term::from).collect(), Term::from(constant)));
        }
        let (coeffs, constant) = &self.rows[row - way.guards.len()];
        let of = |place: Option<usize>| {
            let terms = way.next.iter().zip(coeffs).map(|(next, coeff)| Term::from(at(next, place)) * term(coeff));
            Term::sum(terms.collect())
        };
        Some(((0..way.vars.len()).map(|var| of(Some(var))).collect(), of(None) + term(constant)))
    }

    /// Each variable has one of a few values, for which all rows hold.
    fn has_state(&self, way: &Linear, present: &[i64]) -> Vec<Formula> {
        let values = |var: usize| {
            let mut values = vec![0, 1, -1, present[var]];
            values.extend(way.guards.iter().flat_map(|row| [row.constant, -row.constant]));
            values.sort_unstable();
            values.dedup();
            values
        };
        let pick = |var: usize, times: &dyn Fn(i64) -> Term| {
            let values = values(var);
            let chosen = |idx: usize| Var::bool(&format!("p{var},{idx}")).formula().expect("a truth value");
            let last = times(values[0]);
            values.iter().enumerate().skip(1).fold(last, |other, (idx, &value)| chosen(idx).choose(times(value), other))
        };
        let known = way.guards.iter().map(|row| {
            let terms =
                (0..way.vars.len()).map(|var| pick(var, &|value| Term::from(row.coeffs[var].saturating_mul(value))));
            (Term::sum(terms.collect()) + Term::from(row.constant)).at_most(&Term::from(0))
        });
        let unknown = self.rows.iter().map(|(coeffs, constant)| {
            let terms = (0..way.vars.len()).map(|var| pick(var, &|value| Term::from(value) * term(&coeffs[var])));
            (Term::sum(terms.collect()) + term(constant)).at_most(&Term::from(0))
        });
        known.chain(unknown).collect()
    }

    fn at(&self, row: usize, place: Option<usize>) -> Term {
        let (coeffs, constant) = &self.rows[row];
        term(place.map_or(constant, |var| &coeffs[var]))
    }

    fn rows(&self, found: &Assignment) -> Option<Vec<Row>> {
        let value = |var: &Var| found.number(var).map_or(Some(0), |number| i64::try_from(number.as_int()?).ok());
        let row = |(coeffs, constant): &(Vec<Var>, Var)| {
            Some(Sum { coeffs: coeffs.iter().map(value).collect::<Option<_>>()?, constant: value(constant)? })
        };
        self.rows.iter().map(row).collect()
    }

    fn differs_from(&self, rows: &[Row]) -> Formula {
        let differs = |((coeffs, _), row): (&(Vec<Var>, Var), &Row)| {
            let each = coeffs.iter().zip(&row.coeffs).map(|(var, &value)| !term(var).equals(&Term::from(value)));
            each.collect::<Vec<_>>()
        };
        Formula::or(self.rows.iter().zip(rows).flat_map(differs).collect())
    }
}

fn at(sum: &Sum, place: Option<usize>) -> i64 {
    place.map_or(sum.constant, |var| sum.coeffs[var])
}

fn term(var: &Var) -> Term {
    var.term().expect("a number")
}

/// How often a row is taken.
enum Multiple {
    /// Of a row that is known.
    Any(Var),
    /// None, one or two, of one that is not.
    Small(Formula, Formula),
}

impl Multiple {
    fn any(row: usize, of: usize) -> Self {
        Self::Any(Var::real(&format!("m{row},{of}")))
    }

    fn small(row: usize, of: usize) -> Self {
        let bit = |bit: u32| Var::bool(&format!("m{row},{of},{bit}")).formula().expect("a truth value");
        Self::Small(bit(0), bit(1))
    }

    fn is_positive(&self) -> Option<Formula> {
        match self {
            Self::Any(var) => Some(term(var).at_least(&Term::from(0))),
            Self::Small(..) => None,
        }
    }

    fn of_known(&self, value: i64) -> Term {
        match self {
            Self::Any(var) => Term::from(value) * term(var),
            Self::Small(..) => unreachable!("known rows are taken any number of times"),
        }
    }

    fn of_unknown(&self, value: Term) -> Term {
        match self {
            Self::Any(_) => unreachable!("unknown rows are taken a few times"),
            Self::Small(a, b) => a.choose(value.clone(), Term::from(0)) + b.choose(value, Term::from(0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_expr::Sort;

    /// The set that is found for a loop over `x` and `y`: the guards, and what both are after a round.
    fn found(guards: &[[i64; 3]], next: [[i64; 3]; 2]) -> Option<String> {
        let mut pool = ExprPool::new();
        let sum = |&[x, y, constant]: &[i64; 3]| Sum { coeffs: vec![x, y], constant };
        let vars = ["x", "y"].map(|name| {
            let var = pool.new_var(name, Sort::Bv(32));
            pool.mk_var(var)
        });
        let way = Linear {
            vars: vars.to_vec(),
            guards: guards.iter().map(sum).collect(),
            next: next.iter().map(sum).collect(),
        };
        let names = ["x".to_owned(), "y".to_owned()];
        let rows = closed_rows(&mut pool, &way, &[0, 0], |_, _| true)?;
        Some(rows.iter().map(|row| row.text(&names)).collect::<Vec<_>>().join(" && "))
    }

    #[test]
    fn sets_of_the_paper_are_found() {
        let positive = [-1, 0, 0];
        let subtracted = found(&[positive], [[1, -1, 0], [0, 1, 0]]);
        assert_eq!(subtracted.as_deref(), Some("x >= 0 && y <= 0"));
        let triangular = found(&[positive], [[1, 1, 0], [0, 1, 1]]);
        assert_eq!(triangular.as_deref(), Some("x >= 0 && y >= 0"));
        // One row more for one round; for two rounds, the guards are enough.
        let alternating = found(&[positive], [[1, 1, 0], [0, -1, 1]]);
        assert_eq!(alternating.as_deref(), Some("x >= 0 && x + y >= 0"));
        let twice = found(&[positive, [-1, -1, 0]], [[1, 0, 1], [0, 1, 0]]);
        assert_eq!(twice.as_deref(), Some("x >= 0 && x + y >= 0"));
    }

    #[test]
    fn loops_that_end_have_no_set() {
        assert_eq!(found(&[[-1, 0, 0]], [[1, 0, -1], [0, 1, 0]]), None);
        assert_eq!(found(&[[1, -1, 1]], [[1, 0, 1], [0, 1, 0]]), None);
    }
}
