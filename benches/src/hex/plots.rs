//! How invalid ends, valid ends and times are spread over the targets, as box plots beside the paper's figures 4 to 6.
//!
//! A box reaches from the first quartile to the third, its line is the median, and the whiskers end at the least and the greatest value.

use std::fmt::Write;
use std::path::Path;

use super::report::{Spread, quantile};
use super::{Hex, WAYS};
use crate::error::BenchError;

const WIDTH: f64 = 560.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 34.0;
const ROW: f64 = 30.0;
const BOX: f64 = 14.0;

pub fn write(hex: &Hex, dir: &Path) -> Result<(), BenchError> {
    std::fs::create_dir_all(dir)?;
    for spread in hex.spreads() {
        std::fs::write(dir.join(format!("{}.svg", spread.name)), plot(&spread))?;
    }
    Ok(())
}

/// A scale of powers of ten. Zero has a place of its own, left of all others.
struct Scale {
    /// The powers at both ends.
    first: i32,
    last: i32,
    has_zero: bool,
}

impl Scale {
    fn of(values: &[f64]) -> Self {
        let positive = || values.iter().copied().filter(|&value| value > 0.0);
        let (least, most) = (positive().fold(1.0, f64::min), positive().fold(1.0, f64::max));
        let (first, last) = (least.log10().floor() as i32, most.log10().ceil() as i32);
        Self { first, last: last.max(first + 1), has_zero: values.contains(&0.0) }
    }

    fn n_steps(&self) -> f64 {
        f64::from(self.last - self.first) + if self.has_zero { 0.5 } else { 0.0 }
    }

    fn x(&self, value: f64) -> f64 {
        let start = if self.has_zero { 0.5 } else { 0.0 };
        let at = if value > 0.0 { start + value.log10() - f64::from(self.first) } else { 0.0 };
        LEFT + at / self.n_steps() * (WIDTH - LEFT - RIGHT)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> + '_ {
        self.has_zero.then_some(0.0).into_iter().chain((self.first..=self.last).map(|power| 10f64.powi(power)))
    }
}

fn plot(spread: &Spread) -> String {
    let all: Vec<f64> = spread.values.iter().flatten().copied().collect();
    let scale = Scale::of(&all);
    let bottom = TOP + ROW * WAYS.len() as f64;
    let height = bottom + 26.0;
    let mut svg = String::new();
    let mut add = |line: String| {
        svg.push_str(&line);
        svg.push('\n');
    };
    add(format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="12">"##
    ));
    add(r##"<rect width="100%" height="100%" fill="#fff"/>"##.to_owned());
    add(format!(r##"<text x="{LEFT}" y="18">{}</text>"##, spread.title));
    for tick in scale.ticks() {
        let x = scale.x(tick);
        add(format!(r##"<path d="M{x:.1} {TOP}V{bottom}" stroke="#ddd"/>"##));
        add(format!(r##"<text x="{x:.1}" y="{:.0}" text-anchor="middle" fill="#555">{tick}</text>"##, bottom + 16.0));
    }
    for (number, (way, values)) in WAYS.iter().zip(&spread.values).enumerate() {
        let middle = TOP + ROW * (number as f64 + 0.5);
        add(format!(r##"<text x="8" y="{:.1}">{}</text>"##, middle + 4.0, way.name()));
        if values.is_empty() {
            continue;
        }
        let x: Vec<f64> = (0..5).map(|quarter| scale.x(quantile(values, f64::from(quarter) / 4.0))).collect();
        let (top, low) = (middle - BOX / 2.0, middle + BOX / 2.0);
        let mut whiskers = String::new();
        for (from, to, end) in [(x[0], x[1], x[0]), (x[3], x[4], x[4])] {
            let _ = write!(whiskers, "M{from:.1} {middle}H{to:.1}M{end:.1} {:.1}V{:.1}", top + 3.0, low - 3.0);
        }
        add(format!(r##"<path d="{whiskers}" stroke="#333" fill="none"/>"##));
        let width = (x[3] - x[1]).max(1.0);
        add(format!(
            r##"<rect x="{:.1}" y="{top:.1}" width="{width:.1}" height="{BOX}" fill="#9ec5e8" stroke="#333"/>"##,
            x[1]
        ));
        add(format!(r##"<path d="M{:.1} {top:.1}V{low:.1}" stroke="#000" stroke-width="2.5"/>"##, x[2]));
    }
    add("</svg>".to_owned());
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_left_of_all_others() {
        let scale = Scale::of(&[0.0, 3.0, 250.0]);
        assert_eq!(scale.ticks().collect::<Vec<_>>(), [0.0, 1.0, 10.0, 100.0, 1000.0]);
        let places: Vec<f64> = [0.0, 1.0, 3.0, 250.0, 1000.0].iter().map(|&value| scale.x(value)).collect();
        assert!(places.is_sorted() && places[0] == LEFT && places[4] == WIDTH - RIGHT, "{places:?}");
    }

    #[test]
    fn each_way_has_a_box() {
        let values = vec![vec![0.0], vec![1.0, 2.0], vec![5.0], vec![1.0, 100.0], vec![]];
        let svg = plot(&Spread { name: "x", title: "ends", values });
        assert_eq!(svg.matches("stroke-width").count(), 4, "{svg}");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }
}
