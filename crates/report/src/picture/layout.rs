//! Where boxes stand and how arrows go, in cells of one character.
//!
//! Boxes stand in columns by their distance from the first one, so an arrow leads at most one column to the right. Where
//! columns get too many for the width, the rest goes below, as another band. An arrow leaves a box at its row and goes
//! up or down only in the channels between columns; one that leads back over several columns goes below its band.
//! Arrows that would only add to the confusion are not drawn: their rows name the box that they lead to.

use std::collections::VecDeque;

use super::channel::{Passage, tracks};
use super::graph::{Link, Picture, Row, Value};

/// Room between label and value.
const GAP: i32 = 2;
/// Arrows to boxes that more than this lead to are named, but for the first.
const MAX_INCOMING: usize = 5;
/// Arrows below a band.
const MAX_LANES: usize = 6;
/// What columns are reckoned to be apart before it is known.
const USUAL_CHANNEL: i32 = 8;

#[derive(Debug)]
pub struct Drawing {
    pub width: i32,
    pub height: i32,
    pub boxes: Vec<Placed>,
    pub arrows: Vec<Arrow>,
}

/// A box: its title is in its first line, its rows in the next ones, and one line is below them.
#[derive(Debug)]
pub struct Placed {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
    pub title: String,
    pub rows: Vec<PlacedRow>,
}

#[derive(Debug)]
pub struct PlacedRow {
    pub label: String,
    pub value: Shown,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    Text(String),
    Null,
    /// An arrow starts here. What is to be added to where it leads, if anything.
    Arrow(String),
}

/// A line of horizontal and vertical pieces from the edge of a box to that of another, or of the same.
#[derive(Debug)]
pub struct Arrow {
    pub points: Vec<(i32, i32)>,
    /// Whether it might as well lead elsewhere.
    pub is_open: bool,
}

impl Placed {
    pub fn right(&self) -> i32 {
        self.x + self.width - 1
    }
}

/// The number by which a box is named.
pub fn tag(node: usize) -> String {
    format!("#{node}")
}

pub fn layout(picture: &Picture, max_width: i32) -> Drawing {
    let mut layout = Layout::new(picture, max_width);
    layout.place_rows();
    loop {
        layout.choose_passages();
        // Each round names an arrow more, so there is an end.
        if !layout.set_tracks() {
            break;
        }
    }
    layout.draw()
}

/// A pointer that may be drawn.
#[derive(Debug)]
struct Edge<'p> {
    from: usize,
    row: usize,
    link: &'p Link,
    is_first: bool,
    way: Way,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// The row says where it leads.
    Named,
    /// Through one channel.
    Channel(usize),
    /// Through a channel, below the band and through another one.
    Below { out: usize, back: usize },
}

struct Layout<'p> {
    picture: &'p Picture,
    edges: Vec<Edge<'p>>,
    column: Vec<usize>,
    /// By column: its band, and its boxes from top to bottom.
    band: Vec<usize>,
    members: Vec<Vec<usize>>,
    size: Vec<(i32, i32)>,
    y: Vec<i32>,
    /// Below each band: the first free line.
    bottom: Vec<i32>,
    /// By channel, which has the number of the column to the right of it; the one behind the last column of a band is
    /// kept apart. Passages with the number of their edge and their track.
    channels: Vec<Vec<(usize, Passage, usize)>>,
}

impl<'p> Layout<'p> {
    fn new(picture: &'p Picture, max_width: i32) -> Self {
        let size: Vec<(i32, i32)> = (0..picture.nodes.len()).map(|node| box_size(picture, node)).collect();
        let (column, mut edges, order) = columns(picture);
        let n_columns = column.iter().max().map_or(0, |last| last + 1);
        let mut members = vec![Vec::new(); n_columns];
        for node in order {
            members[column[node]].push(node);
        }
        let mut band = Vec::new();
        let (mut number, mut used) = (0, 0);
        for nodes in &members {
            let width = nodes.iter().map(|&node| size[node].0).max().unwrap_or(0) + USUAL_CHANNEL;
            if used > 0 && used + width > max_width {
                (number, used) = (number + 1, 0);
            }
            used += width;
            band.push(number);
        }
        let mut n_lanes = vec![0; number + 1];
        let mut n_incoming = vec![0; picture.nodes.len()];
        for (_, _, link) in picture.links() {
            n_incoming[link.node] += 1;
        }
        for edge in &mut edges {
            let (from, to) = (column[edge.from], column[edge.link.node]);
            edge.way = match from as i32 - to as i32 {
                _ if band[from] != band[to] => Way::Named,
                _ if !edge.is_first && n_incoming[edge.link.node] > MAX_INCOMING => Way::Named,
                -1 => Way::Channel(channel_before(&band, to)),
                0 => Way::Channel(channel_after(&band, from)),
                1 => Way::Channel(channel_before(&band, from)),
                _ if n_lanes[band[to]] == MAX_LANES => Way::Named,
                _ => {
                    n_lanes[band[to]] += 1;
                    Way::Below { out: channel_after(&band, from), back: channel_before(&band, to) }
                }
            };
        }
        let y = vec![0; picture.nodes.len()];
        Self { picture, edges, column, band, members, size, y, bottom: Vec::new(), channels: Vec::new() }
    }

    /// Puts boxes below each other, none above the one that it was first reached from.
    fn place_rows(&mut self) {
        let mut parent = vec![None; self.picture.nodes.len()];
        for edge in self.edges.iter().filter(|edge| edge.is_first) {
            parent[edge.link.node] = Some(edge.from);
        }
        let mut top = 0;
        for band in 0..self.band.last().map_or(0, |last| last + 1) {
            let mut bottom = top;
            for (column, nodes) in self.members.iter().enumerate().filter(|&(column, _)| self.band[column] == band) {
                let mut next = top;
                for &node in nodes {
                    let beside = parent[node].filter(|&it: &usize| self.band[self.column[it]] == band && column > 0);
                    self.y[node] = next.max(beside.map_or(top, |it| self.y[it]));
                    next = self.y[node] + self.size[node].1 + 1;
                }
                bottom = bottom.max(next);
            }
            self.bottom.push(bottom);
            let lanes = self.edges.iter().filter(|edge| matches!(edge.way, Way::Below { .. }));
            let n_lanes = lanes.filter(|edge| self.band[self.column[edge.from]] == band).count() as i32;
            top = bottom + if n_lanes > 0 { 2 * n_lanes } else { 0 };
        }
    }

    fn entry(&self, link: &Link) -> i32 {
        self.y[link.node] + link.row.map_or(0, |row| row as i32 + 1)
    }

    fn exit(&self, edge: &Edge<'_>) -> i32 {
        self.y[edge.from] + edge.row as i32 + 1
    }

    /// The line below the band for an arrow that leads back.
    fn lane(&self, number: usize) -> i32 {
        let band = |it: &Edge<'_>| self.band[self.column[it.from]];
        let is_before = |it: &&Edge<'_>| matches!(it.way, Way::Below { .. }) && band(it) == band(&self.edges[number]);
        self.bottom[band(&self.edges[number])] + 2 * self.edges[..number].iter().filter(is_before).count() as i32
    }

    fn choose_passages(&mut self) {
        let n_channels = channel_after(&self.band, self.band.len().saturating_sub(1)) + 1;
        let mut channels = vec![Vec::new(); n_channels];
        for (number, edge) in self.edges.iter().enumerate() {
            let (from, to) = (self.exit(edge), self.entry(edge.link));
            let target = (edge.link.node, to);
            let mut add = |channel: usize, left, right, ends: (i32, i32)| {
                let span = ends.0.min(ends.1)..=ends.0.max(ends.1);
                channels[channel].push((number, Passage { left, right, span, target }, 0));
            };
            match edge.way {
                Way::Named => {}
                Way::Channel(channel) => match self.column[edge.from] as i32 - self.column[edge.link.node] as i32 {
                    -1 => add(channel, Some(from), Some(to), (from, to)),
                    1 => add(channel, Some(to), Some(from), (from, to)),
                    // Both ends are to the left: the height of either may be that of another.
                    _ => add(channel, Some(from), None, (from, to)),
                },
                Way::Below { out, back } => {
                    let lane = self.lane(number);
                    add(out, Some(from), None, (from, lane));
                    add(back, None, Some(to), (to, lane));
                }
            }
        }
        self.channels = channels;
    }

    /// Gives passages their tracks. Says whether some have none, which are named from now on.
    fn set_tracks(&mut self) -> bool {
        let mut lost = Vec::new();
        for channel in &mut self.channels {
            let passages: Vec<Passage> = channel.iter().map(|(_, passage, _)| passage.clone()).collect();
            for ((edge, _, track), found) in channel.iter_mut().zip(tracks(&passages)) {
                match found {
                    Some(found) => *track = found,
                    None => lost.push(*edge),
                }
            }
        }
        for &edge in &lost {
            self.edges[edge].way = Way::Named;
        }
        !lost.is_empty()
    }

    fn draw(&self) -> Drawing {
        let n_tracks = |channel: usize| self.channels[channel].iter().map(|it| it.2 as i32 + 1).max().unwrap_or(0);
        let mut x_of_column = Vec::new();
        let mut x_of_channel = vec![0; self.channels.len()];
        let (mut x, mut width) = (0, 0);
        for (column, nodes) in self.members.iter().enumerate() {
            let (before, after) = (channel_before(&self.band, column), channel_after(&self.band, column));
            if column == 0 || self.band[column] != self.band[column - 1] {
                let room = n_tracks(before);
                (x_of_channel[before], x) = (1, if room > 0 { 2 * room + 3 } else { 0 });
            }
            x_of_column.push(x);
            x += nodes.iter().map(|&node| self.size[node].0).max().unwrap_or(0);
            x_of_channel[after] = x + 2;
            width = width.max(x + if n_tracks(after) > 0 { 2 * n_tracks(after) + 2 } else { 0 });
            x += 2 * n_tracks(after) + 4;
        }
        let track_x = |channel: usize, edge: usize| {
            let track = self.channels[channel].iter().find(|it| it.0 == edge).map_or(0, |it| it.2 as i32);
            x_of_channel[channel] + 2 * track
        };
        let boxes: Vec<Placed> = (0..self.picture.nodes.len())
            .map(|node| Placed {
                x: x_of_column[self.column[node]],
                y: self.y[node],
                width: self.size[node].0,
                height: self.size[node].1,
                title: title(self.picture, node),
                rows: self.rows(node),
            })
            .collect();
        let mut height = boxes.iter().map(|it| it.y + it.height).max().unwrap_or(0);
        let mut arrows = Vec::new();
        for (number, edge) in self.edges.iter().enumerate() {
            let (source, target) = (&boxes[edge.from], &boxes[edge.link.node]);
            let (from, to) = (self.exit(edge), self.entry(edge.link));
            let points = match edge.way {
                Way::Named => continue,
                Way::Channel(channel) => {
                    let x = track_x(channel, number);
                    let (start, end) = match self.column[edge.from] as i32 - self.column[edge.link.node] as i32 {
                        -1 => (source.right(), target.x),
                        1 => (source.x, target.right()),
                        _ => (source.right(), target.right()),
                    };
                    vec![(start, from), (x, from), (x, to), (end, to)]
                }
                Way::Below { out, back } => {
                    let (lane, away, home) = (self.lane(number), track_x(out, number), track_x(back, number));
                    height = height.max(lane + 1);
                    vec![(source.right(), from), (away, from), (away, lane), (home, lane), (home, to), (target.x, to)]
                }
            };
            let is_open = self.picture.nodes[edge.from].rows[edge.row].is_open;
            arrows.push(Arrow { points, is_open });
        }
        Drawing { width, height, boxes, arrows }
    }

    fn rows(&self, node: usize) -> Vec<PlacedRow> {
        let shown = |number: usize, row: &Row| match &row.value {
            Value::Text(text) => Shown::Text(text.clone()),
            Value::Null => Shown::Null,
            Value::Pointer(link) => {
                let edge = self.edges.iter().find(|edge| (edge.from, edge.row) == (node, number));
                match edge.is_none_or(|edge| edge.way == Way::Named) {
                    true => Shown::Text(named(self.picture, link)),
                    false => Shown::Arrow(beyond(link)),
                }
            }
        };
        let rows = self.picture.nodes[node].rows.iter().enumerate();
        rows.map(|(number, row)| PlacedRow { label: label(row), value: shown(number, row) }).collect()
    }
}

/// A question mark stands behind pointers that might as well lead elsewhere.
fn label(row: &Row) -> String {
    let label = &row.label;
    if row.is_open { format!("{label} ?") } else { label.clone() }
}

/// Channels have numbers from the left, bands one after another: each has one more channel than columns.
fn channel_before(band: &[usize], column: usize) -> usize {
    column + band[column]
}

fn channel_after(band: &[usize], column: usize) -> usize {
    column + band.get(column).copied().unwrap_or(0) + 1
}

/// The column of each box, the pointers, and the boxes in an order in which those that are reached from one stand together.
fn columns(picture: &Picture) -> (Vec<usize>, Vec<Edge<'_>>, Vec<usize>) {
    let mut column: Vec<Option<usize>> = vec![None; picture.nodes.len()];
    let mut edges: Vec<Edge<'_>> =
        picture.links().map(|(from, row, link)| Edge { from, row, link, is_first: false, way: Way::Named }).collect();
    let mut order = Vec::new();
    for start in 0..picture.nodes.len() {
        if column[start].is_some() {
            continue;
        }
        column[start] = Some(usize::from(start > 0));
        let mut waiting = VecDeque::from([start]);
        while let Some(node) = waiting.pop_front() {
            order.push(node);
            for edge in edges.iter_mut().filter(|edge| edge.from == node) {
                if column[edge.link.node].is_none() {
                    column[edge.link.node] = column[node].map(|it| it + 1);
                    edge.is_first = true;
                    waiting.push_back(edge.link.node);
                }
            }
        }
    }
    (column.into_iter().map(Option::unwrap_or_default).collect(), edges, order)
}

fn title(picture: &Picture, node: usize) -> String {
    match node {
        0 => picture.nodes[0].title.clone(),
        _ => format!("{} {}", tag(node), picture.nodes[node].title),
    }
}

fn beyond(link: &Link) -> String {
    if link.beyond == 0 { String::new() } else { format!("+{}", link.beyond) }
}

/// How a row says where a pointer leads that is not drawn.
fn named(picture: &Picture, link: &Link) -> String {
    let row = link.row.map(|row| picture.nodes[link.node].rows[row].label.as_str()).filter(|label| !label.is_empty());
    // The first member of a struct inside stands for the struct.
    let row = row.map(|label| label.rsplit_once('.').filter(|_| link.beyond == 0).map_or(label, |(outer, _)| outer));
    let dot = row.map(|label| if label.starts_with('[') { label.to_owned() } else { format!(".{label}") });
    format!("→ {}{}{}", tag(link.node), dot.unwrap_or_default(), beyond(link))
}

fn box_size(picture: &Picture, node: usize) -> (i32, i32) {
    let rows = &picture.nodes[node].rows;
    let label = rows.iter().map(|row| columns_of(&row.label)).max().unwrap_or(0);
    let value = rows.iter().map(|row| match &row.value {
        Value::Text(text) => columns_of(text),
        Value::Null => 4,
        Value::Pointer(link) => columns_of(&named(picture, link)),
    });
    let gap = if label > 0 { GAP } else { 0 };
    let inner = (label + gap + value.max().unwrap_or(0)).max(columns_of(&title(picture, node)));
    (inner + 4, rows.len() as i32 + 2)
}

fn columns_of(text: &str) -> i32 {
    unicode_width::UnicodeWidthStr::width(text) as i32
}
