//! A page of all tables with a chart for each: one file without a script, without anything from elsewhere.

use std::fmt::Write as _;

use schema::Timestamp;

use crate::chart::{chart, escaped, grouped};
use crate::table::{Cell, Table};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;\
    background:#fff}h2{margin-top:2.5rem}table{border-collapse:collapse;font-size:13px}td,th{padding:.15rem .6rem;\
    border-bottom:1px solid #ddd;text-align:right}td:first-child,th:first-child{text-align:left}svg{width:100%;\
    max-width:48rem;font:12px system-ui,sans-serif;fill:currentColor}.bar{fill:#3b6ea5}.less{fill:#b5533c}\
    summary{cursor:pointer;margin:.6rem 0}@media(prefers-color-scheme:dark){body{background:#161616;color:#e6e6e6}\
    td,th{border-color:#333}}";

/// The page, with the figures of `now`.
pub fn page(tables: &[Table], now: Timestamp) -> String {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>The market</title><style>{STYLE}</style></head>\
         <body><h1>The market</h1><p>As of {now}. Asking prices, not what was paid. Each property counts once, however many \
         portals advertise it. Nothing is told about fewer than {} properties.</p>",
        crate::LEAST
    );
    for table in tables {
        let (title, explanation) = (escaped(table.title), escaped(table.explanation));
        // Writing to a String cannot fail.
        let _ = write!(html, "<h2>{title}</h2><p>{explanation}</p>");
        for kind in kinds(table) {
            if let Some(svg) = chart(table, &kind) {
                let _ = write!(html, "<h3>{}</h3>{svg}", escaped(&kind));
            }
        }
        html.push_str(&rows(table));
    }
    html.push_str("</body></html>\n");
    html
}

/// The kinds of a table, in its order.
fn kinds(table: &Table) -> Vec<String> {
    let mut kinds: Vec<String> = table
        .rows
        .iter()
        .filter_map(|row| row.first())
        .map(ToString::to_string)
        .collect();
    kinds.dedup();
    kinds
}

fn rows(table: &Table) -> String {
    let mut html = String::from("<details><summary>Table</summary><table><tr>");
    for name in &table.columns {
        // Writing to a String cannot fail.
        let _ = write!(html, "<th>{}</th>", escaped(name));
    }
    html.push_str("</tr>");
    for row in &table.rows {
        html.push_str("<tr>");
        for cell in row {
            let _ = write!(html, "<td>{}</td>", written(cell));
        }
        html.push_str("</tr>");
    }
    html.push_str("</table></details>");
    html
}

fn written(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => escaped(text),
        Cell::Count(count) => grouped(*count as f64),
        Cell::Number(number, 0) => grouped(*number),
        Cell::Number(number, places) => format!("{number:.places$}"),
        Cell::Unknown => "–".to_owned(),
    }
}
