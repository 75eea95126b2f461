//! Pictures as text.

use super::graph::Picture;
use super::layout::{Arrow, Placed, Shown, layout};

/// Which characters lines are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Charset {
    Unicode,
    Ascii,
}

/// The sides on which a cell is joined to its neighbours.
const UP: u8 = 1;
const RIGHT: u8 = 2;
const DOWN: u8 = 4;
const LEFT: u8 = 8;

/// By sides.
const LINES: [char; 16] = [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];

/// The picture as lines of at most about so many characters.
pub fn text(picture: &Picture, max_width: usize, charset: Charset) -> String {
    let drawing = layout(picture, max_width.min(1000) as i32);
    let right = drawing.boxes.iter().map(|it| it.x + it.width).max().unwrap_or(0).max(drawing.width);
    let mut canvas = Canvas::new(right as usize + 1, drawing.height as usize);
    drawing.boxes.iter().for_each(|placed| canvas.draw_box(placed));
    drawing.arrows.iter().for_each(|arrow| canvas.draw_arrow(arrow));
    canvas.write(charset)
}

struct Canvas {
    width: usize,
    sides: Vec<u8>,
    /// Takes the place of lines where there is one.
    texts: Vec<Option<char>>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        Self { width, sides: vec![0; width * height], texts: vec![None; width * height] }
    }

    fn cell(&self, x: i32, y: i32) -> usize {
        y as usize * self.width + x as usize
    }

    fn horizontal(&mut self, from: i32, to: i32, y: i32) {
        for x in from.min(to)..from.max(to) {
            let (left, right) = (self.cell(x, y), self.cell(x + 1, y));
            self.sides[left] |= RIGHT;
            self.sides[right] |= LEFT;
        }
    }

    fn vertical(&mut self, from: i32, to: i32, x: i32) {
        for y in from.min(to)..from.max(to) {
            let (upper, lower) = (self.cell(x, y), self.cell(x, y + 1));
            self.sides[upper] |= DOWN;
            self.sides[lower] |= UP;
        }
    }

    fn put(&mut self, x: i32, y: i32, text: &str) {
        for (at, symbol) in (x..).zip(text.chars()) {
            let cell = self.cell(at, y);
            self.texts[cell] = Some(symbol);
        }
    }

    fn draw_box(&mut self, placed: &Placed) {
        let (left, right, top, bottom) = (placed.x, placed.right(), placed.y, placed.y + placed.height - 1);
        self.horizontal(left, right, top);
        self.horizontal(left, right, bottom);
        self.vertical(top, bottom, left);
        self.vertical(top, bottom, right);
        self.put(left + 1, top, &format!(" {} ", placed.title));
        for (number, row) in placed.rows.iter().enumerate() {
            let y = top + number as i32 + 1;
            self.put(left + 2, y, &row.label);
            let value = match &row.value {
                Shown::Text(text) => text.clone(),
                Shown::Null => "null".to_owned(),
                Shown::Arrow(beyond) => format!("{beyond}●"),
            };
            self.put(right - 1 - value.chars().count() as i32, y, &value);
        }
    }

    fn draw_arrow(&mut self, arrow: &Arrow) {
        for piece in arrow.points.windows(2) {
            let ((x, y), (to_x, to_y)) = (piece[0], piece[1]);
            if y == to_y { self.horizontal(x, to_x, y) } else { self.vertical(y, to_y, x) }
        }
        let points = &arrow.points;
        let ((before, _), (end, y)) = (points[points.len() - 2], points[points.len() - 1]);
        let is_from_right = before > end;
        let side = if is_from_right { RIGHT } else { LEFT };
        // The tip stands before the box, whose edge stays as it is.
        let edge = self.cell(end, y);
        self.sides[edge] &= !side;
        if is_from_right { self.put(end + 1, y, "◀") } else { self.put(end - 1, y, "▶") }
    }

    fn write(&self, charset: Charset) -> String {
        let mut out = String::new();
        for (sides, texts) in self.sides.chunks(self.width).zip(self.texts.chunks(self.width)) {
            let symbol = |(&sides, &text): (&u8, &Option<char>)| text.unwrap_or(LINES[usize::from(sides)]);
            let line: String = sides.iter().zip(texts).map(symbol).collect();
            match charset {
                Charset::Unicode => out.push_str(line.trim_end()),
                Charset::Ascii => out.extend(line.trim_end().chars().map(plain)),
            }
            out.push('\n');
        }
        out
    }
}

fn plain(symbol: char) -> char {
    match symbol {
        '─' | '╴' | '╶' | '–' => '-',
        '│' | '╵' | '╷' => '|',
        '▶' | '→' => '>',
        '◀' => '<',
        '●' => '*',
        '…' => '~',
        _ if LINES.contains(&symbol) && symbol != ' ' => '+',
        _ => symbol,
    }
}
