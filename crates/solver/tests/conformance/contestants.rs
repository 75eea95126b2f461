//! The solvers that the suite is run against, in groups that become modules of tests.

use spelunk_solver::blast::SatKind;
use spelunk_solver::chain::{Backend, Layer, Options};

use crate::common::session::Session;

pub struct Contestant {
    pub name: String,
    pub options: Options,
    /// At which widths operations are tried.
    pub widths: &'static [u32],
    /// Whether with all values, and with rewriting off: those that differ most.
    pub is_thorough: bool,
}

const WIDTHS: [u32; 20] = [1, 2, 3, 4, 5, 6, 7, 8, 13, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200];
const FEW_WIDTHS: [u32; 6] = [1, 3, 8, 32, 64, 65];

impl Contestant {
    pub fn session(&self) -> Session {
        Session::new(&self.name, &self.options)
    }

    pub fn has_floats(&self) -> bool {
        self.options.backend != Backend::Blast
    }
}

fn backend(backend: Backend, sat: SatKind) -> Contestant {
    let options = Options { backend, sat, without: Layer::ALL.to_vec(), ..Options::default() };
    Contestant { name: format!("{} on {}", backend.name(), sat.name()), options, widths: &WIDTHS, is_thorough: true }
}

pub fn blaster() -> Vec<Contestant> {
    SatKind::ALL.iter().map(|&sat| backend(Backend::Blast, sat)).collect()
}

pub fn z3() -> Vec<Contestant> {
    // It takes long, and most of what it does is not ours.
    vec![Contestant { widths: &FEW_WIDTHS, ..backend(Backend::Z3, SatKind::default()) }]
}

pub fn chain() -> Vec<Contestant> {
    vec![Contestant { name: "the chain".into(), options: Options::default(), widths: &WIDTHS, is_thorough: true }]
}

pub fn chain_without_one() -> Vec<Contestant> {
    let without = |&layer: &Layer| Contestant {
        name: format!("the chain without {}", layer.name()),
        options: Options { without: vec![layer], ..Options::default() },
        widths: &FEW_WIDTHS,
        is_thorough: false,
    };
    Layer::ALL.iter().map(without).collect()
}

pub fn chain_without_all() -> Vec<Contestant> {
    let options = Options { without: Layer::ALL.to_vec(), ..Options::default() };
    vec![Contestant { name: "the chain without layers".into(), options, widths: &FEW_WIDTHS, is_thorough: false }]
}
