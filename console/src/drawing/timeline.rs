//! The lives of adverts on one time axis.

use std::fmt::Write as _;

use schema::Timestamp;

use super::prices::COLOURS;
use super::{at, escaped};
use crate::format;

const WIDTH: f64 = 640.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 8.0;
const ROW: f64 = 20.0;
/// How many characters of a name fit left of the lives.
const NAME: usize = 23;

/// The life of one advert.
pub(crate) struct Span {
    /// The advert.
    pub(crate) name: String,
    /// When it was on the portal.
    pub(crate) live: Vec<(Timestamp, Timestamp)>,
    /// What happened.
    pub(crate) marks: Vec<SpanMark>,
}

/// Something that happened to an advert.
pub(crate) struct SpanMark {
    pub(crate) at: Timestamp,
    /// The class: `seen`, `changed`, `gone`, `back`.
    pub(crate) class: &'static str,
    /// In words.
    pub(crate) what: String,
}

/// A row for each advert: a bar while it was on its portal, a mark for each event.
pub(crate) fn timeline(spans: &[Span], name: &str) -> String {
    let times = || {
        let live = spans.iter().flat_map(|span| &span.live);
        let live = live.flat_map(|(from, to)| [from.millis(), to.millis()]);
        let marks = spans.iter().flat_map(|span| &span.marks);
        live.chain(marks.map(|mark| mark.at.millis()))
    };
    let (Some(first), Some(last)) = (times().min(), times().max()) else {
        return String::new();
    };
    let span = (last - first).max(1) as f64;
    let x = |at: Timestamp| LEFT + (at.millis() - first) as f64 / span * (WIDTH - LEFT - RIGHT);
    let mut drawn = String::new();
    for (place, one) in spans.iter().enumerate() {
        let y = place as f64 * ROW;
        let _ = write!(
            drawn,
            "<text class=\"axis\" x=\"0\" y=\"{}\">{}<title>{}</title></text><g class=\"series s{}\">",
            at(y + 14.0),
            escaped(&shortened(&one.name)),
            escaped(&one.name),
            place % COLOURS
        );
        for (from, to) in &one.live {
            let (from, to) = (x(*from), x(*to));
            let _ = write!(
                drawn,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"6\" rx=\"3\"/>",
                at(from),
                at(y + 7.0),
                at((to - from).max(3.0))
            );
        }
        drawn.push_str("</g>");
        for mark in &one.marks {
            let _ = write!(
                drawn,
                "<circle class=\"mark {}\" cx=\"{}\" cy=\"{}\" r=\"4\"><title>{}: {}</title></circle>",
                mark.class,
                at(x(mark.at)),
                at(y + 10.0),
                format::time(mark.at),
                escaped(&mark.what)
            );
        }
    }
    let bottom = spans.len() as f64 * ROW;
    for (millis, class) in [(first, "start"), (last, "end")] {
        let _ = write!(
            drawn,
            "<text class=\"axis {class}\" x=\"{}\" y=\"{}\">{}</text>",
            at(x(Timestamp(millis))),
            at(bottom + 14.0),
            format::date(Timestamp(millis))
        );
    }
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"{}\">{drawn}</svg>",
        at(bottom + ROW),
        escaped(name)
    )
}

/// The beginning of a name that is too long.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(NAME) {
        Some(_) => name.chars().take(NAME - 1).chain(['…']).collect(),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_does_not_reach_into_the_lives() {
        assert_eq!(shortened("sreality/3491644488"), "sreality/3491644488");
        assert_eq!(
            shortened("idnes/6aa95d706891a213aec3bdeb"),
            "idnes/6aa95d706891a213…"
        );
    }
}
