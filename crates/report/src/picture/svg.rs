//! Pictures as SVG.

use std::fmt::Write;

use super::graph::Picture;
use super::layout::{Arrow, Drawing, Placed, Shown, layout};
use crate::markup::escaped;

/// Pixels of a cell.
const CELL: (f64, f64) = (8.0, 18.0);
const MARGIN: f64 = 12.0;
const FONT_SIZE: f64 = 13.0;
/// Of the corners of arrows.
const RADIUS: f64 = 6.0;
/// Columns are put below each other beyond this many cells.
const MAX_WIDTH: i32 = 160;

const STYLE: &str = "\
.picture text{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1f2328}\
.picture .box{fill:#fff;stroke:#57606a;stroke-width:1.2}\
.picture .head{fill:#dbe9f9;stroke:#57606a;stroke-width:1.2}\
.picture .root{fill:#e7e3f7}\
.picture .title{font-weight:600}\
.picture .label{fill:#57606a}\
.picture .null{fill:#9a6700}\
.picture .arrow{fill:none;stroke:#0a58ca;stroke-width:1.4}.picture .open{stroke-dasharray:4 3}\
.picture .dot,.picture .tip{fill:#0a58ca}\
@media (prefers-color-scheme:dark){\
.picture text{fill:#e6edf3}.picture .box{fill:#161b22;stroke:#8b949e}\
.picture .head{fill:#1c2d45;stroke:#8b949e}.picture .root{fill:#2c2547}.picture .label{fill:#9ea7b3}\
.picture .null{fill:#d29922}.picture .arrow{stroke:#6cb6ff}.picture .dot,.picture .tip{fill:#6cb6ff}}";

/// The picture as an SVG document, which can also stand inside of HTML.
pub fn svg(picture: &Picture) -> String {
    let drawing = layout(picture, MAX_WIDTH);
    let (width, height) = size(&drawing);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-size=\"{FONT_SIZE}\" role=\"img\">\n<style>{STYLE}</style>\n"
    );
    for (placed, node) in drawing.boxes.iter().zip(&picture.nodes) {
        draw_box(&mut out, placed, &node.name);
    }
    for arrow in &drawing.arrows {
        draw_arrow(&mut out, arrow);
    }
    out.push_str("</svg>\n");
    out
}

fn size(drawing: &Drawing) -> (f64, f64) {
    let right = drawing.boxes.iter().map(|it| it.x + it.width).max().unwrap_or(0).max(drawing.width);
    (f64::from(right) * CELL.0 + 2.0 * MARGIN, f64::from(drawing.height) * CELL.1 + 2.0 * MARGIN)
}

fn x(cell: i32) -> f64 {
    MARGIN + f64::from(cell) * CELL.0
}

/// The middle of a line.
fn y(cell: i32) -> f64 {
    MARGIN + (f64::from(cell) + 0.5) * CELL.1
}

fn left(placed: &Placed) -> f64 {
    x(placed.x)
}

fn right(placed: &Placed) -> f64 {
    x(placed.x + placed.width)
}

/// Where the baseline of a text is in its line.
fn baseline(cell: i32) -> f64 {
    y(cell) + FONT_SIZE * 0.35
}

fn draw_box(out: &mut String, placed: &Placed, name: &str) {
    let (left, right, top) = (left(placed), right(placed), y(placed.y) - CELL.1 / 2.0);
    let (width, height) = (right - left, f64::from(placed.height) * CELL.1 - CELL.1 / 2.0);
    let root = if name.is_empty() { " root" } else { "" };
    // Writing to a string can't fail.
    let _ = write!(out, "<g><title>{}</title>", escaped(name));
    let _ =
        write!(out, "<rect class=\"box\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>");
    let _ = write!(
        out,
        "<path class=\"head{root}\" d=\"M{left} {} v{} q0 -4 4 -4 h{} q4 0 4 4 v{} z\"/>",
        top + CELL.1,
        4.0 - CELL.1,
        width - 8.0,
        CELL.1 - 4.0
    );
    let _ = write!(
        out,
        "<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>",
        left + CELL.0,
        baseline(placed.y),
        escaped(&placed.title)
    );
    for (number, row) in placed.rows.iter().enumerate() {
        let line = placed.y + number as i32 + 1;
        let base = baseline(line);
        let label = escaped(&row.label);
        if !label.is_empty() {
            let _ = write!(out, "<text class=\"label\" x=\"{}\" y=\"{base}\">{label}</text>", left + CELL.0);
        }
        let end = right - CELL.0;
        let (class, text) = match &row.value {
            Shown::Text(text) => ("value", text.as_str()),
            Shown::Null => ("null", "null"),
            Shown::Arrow(beyond) => ("value", beyond.as_str()),
        };
        if !text.is_empty() {
            let text = escaped(text);
            let _ = write!(out, "<text class=\"{class}\" x=\"{end}\" y=\"{base}\" text-anchor=\"end\">{text}</text>");
        }
    }
    out.push_str("</g>\n");
}

fn draw_arrow(out: &mut String, arrow: &Arrow) {
    let points = &arrow.points;
    let (first, last) = (points[0], points[points.len() - 1]);
    let leaves_right = points[1].0 > first.0;
    let enters_right = points[points.len() - 2].0 > last.0;
    // Lines start and end at the edges of boxes, the others in the middle of cells.
    let edge = |cell: i32, is_right: bool| if is_right { x(cell + 1) } else { x(cell) };
    let mut path: Vec<(f64, f64)> = points.iter().map(|&(at, line)| (x(at) + CELL.0 / 2.0, y(line))).collect();
    let n = path.len();
    path[0].0 = edge(first.0, leaves_right);
    let tip = edge(last.0, enters_right);
    path[n - 1].0 = tip + if enters_right { 5.0 } else { -5.0 };
    path.dedup();
    let _ = write!(
        out,
        "<path class=\"arrow{}\" d=\"M{} {}",
        if arrow.is_open { " open" } else { "" },
        path[0].0,
        path[0].1
    );
    for piece in path.windows(3) {
        let [before, corner, after] = piece else { continue };
        let (enter, leave) = (toward(*corner, *before), toward(*corner, *after));
        let _ = write!(out, " L{} {} Q{} {} {} {}", enter.0, enter.1, corner.0, corner.1, leave.0, leave.1);
    }
    let (end_x, end_y) = path[path.len() - 1];
    let _ = write!(out, " L{end_x} {end_y}\"/>");
    let back = if enters_right { 9.0 } else { -9.0 };
    let _ = writeln!(
        out,
        "<path class=\"tip\" d=\"M{tip} {end_y} l{back} -4.5 v9 z\"/><circle class=\"dot\" cx=\"{}\" cy=\"{}\" r=\"3\"/>",
        path[0].0, path[0].1
    );
}

/// A point near a corner, on the way to another one.
fn toward(corner: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (other.0 - corner.0, other.1 - corner.1);
    let length = dx.abs() + dy.abs();
    let part = if length == 0.0 { 0.0 } else { RADIUS.min(length / 2.0) / length };
    (corner.0 + dx * part, corner.1 + dy * part)
}
