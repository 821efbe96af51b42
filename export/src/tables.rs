//! The tables, and how their rows are made.
//!
//! The columns of `offers` follow the one table of offer fields, so a new field needs nothing here.

use schema::offer_fields::{FIELDS, FieldKind};
use schema::store::matches::NamedMatch;
use schema::{Offer, PortalLink, PricePoint, PriceSeries};

use crate::column::ColumnType::{Flag, Number, Position, Text, Time, WholeNumber};
use crate::column::{Column, Value};
use crate::format::Format;

/// A table: its name, and its columns in order.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub name: &'static str,
    pub columns: Vec<Column>,
}

/// The records, one a row: the fields of a search's answer. `location` is the columns `lat` and `lng`, and `geometry` in
/// Parquet.
pub(crate) fn offers(format: Format) -> Table {
    let mut columns = vec![
        Column::required("id", Text),
        Column::required("firstSeenAt", Time),
        Column::required("lastChangedAt", Time),
        Column::required("isLive", Flag),
    ];
    for field in FIELDS {
        let column_type = match field.kind {
            FieldKind::Location(_) => {
                columns.push(Column::optional("lat", Number));
                columns.push(Column::optional("lng", Number));
                if format == Format::Parquet {
                    columns.push(Column::optional("geometry", Position));
                }
                continue;
            }
            FieldKind::Text { .. } | FieldKind::Enumerated { .. } => Text,
            FieldKind::Number(_) => Number,
            FieldKind::WholeNumber(_) => WholeNumber,
            FieldKind::Flag(_) => Flag,
        };
        columns.push(Column::optional(field.name, column_type));
    }
    Table {
        name: "offers",
        columns,
    }
}

/// The row of a record.
pub(crate) fn offer_row(offer: &Offer, format: Format) -> Vec<Value<'_>> {
    let facts = &offer.attributes;
    let mut row = Vec::with_capacity(FIELDS.len() + 8);
    row.extend([
        Value::Text(offer.id.as_str()),
        Value::Time(offer.first_seen_at),
        Value::Time(offer.last_changed_at),
        Value::Flag(offer.is_live),
    ]);
    for field in FIELDS {
        row.push(match &field.kind {
            FieldKind::Location(access) => {
                let location = *(access.get)(facts);
                row.push(Value::number(location.map(|it| it.lat)));
                row.push(Value::number(location.map(|it| it.lng)));
                if format == Format::Parquet {
                    row.push(location.map_or(Value::Unknown, Value::Position));
                }
                continue;
            }
            FieldKind::Text { access, .. } => Value::text((access.get)(facts).as_deref()),
            FieldKind::Enumerated { access, .. } => Value::text((access.text)(facts)),
            FieldKind::Number(access) => Value::number(*(access.get)(facts)),
            FieldKind::WholeNumber(access) => {
                let number = *(access.get)(facts);
                number.map_or(Value::Unknown, |number| Value::WholeNumber(number.into()))
            }
            FieldKind::Flag(access) => (*(access.get)(facts)).map_or(Value::Unknown, Value::Flag),
        });
    }
    row
}

/// A table about adverts: the columns that name one, and these.
fn of_adverts<const N: usize>(name: &'static str, more: [Column; N]) -> Table {
    let mut columns = ["id", "siteId", "offerId"]
        .map(|name| Column::required(name, Text))
        .to_vec();
    columns.extend(more);
    Table { name, columns }
}

/// Which adverts are one record: an advert a row.
pub(crate) fn links() -> Table {
    let more = [
        Column::optional("url", Text),
        Column::required("isLive", Flag),
        Column::required("firstSeenAt", Time),
    ];
    of_adverts("links", more)
}

/// The row of an advert of the record `id`.
pub(crate) fn link_row<'a>(id: &'a str, link: &'a PortalLink) -> [Value<'a>; 6] {
    [
        Value::Text(id),
        Value::Text(&link.site_id),
        Value::Text(&link.offer_id),
        Value::text(link.url.as_deref()),
        Value::Flag(link.is_live),
        Value::Time(link.first_seen_at),
    ]
}

/// The prices that each advert asked: a price a row, those of an advert in order of time.
pub(crate) fn price_points() -> Table {
    let more = [
        Column::required("at", Time),
        Column::required("priceTotal", Number),
    ];
    of_adverts("price_points", more)
}

/// The row of a price of an advert of the record `id`.
pub(crate) fn price_row<'a>(
    id: &'a str,
    series: &'a PriceSeries,
    point: &PricePoint,
) -> [Value<'a>; 5] {
    [
        Value::Text(id),
        Value::Text(&series.site_id),
        Value::Text(&series.offer_id),
        Value::Time(point.at),
        Value::Number(point.price_total),
    ]
}

/// The pairs of adverts that deduplication compared and keeps: a pair a row.
pub(crate) fn pairs() -> Table {
    Table {
        name: "pairs",
        columns: vec![
            Column::required("leftSiteId", Text),
            Column::required("leftOfferId", Text),
            Column::optional("leftId", Text),
            Column::required("rightSiteId", Text),
            Column::required("rightOfferId", Text),
            Column::optional("rightId", Text),
            Column::required("weight", Number),
            Column::required("vetoed", Flag),
        ],
    }
}

/// The row of a pair.
pub(crate) fn pair_row(pair: &NamedMatch) -> [Value<'_>; 8] {
    let (left, right) = (&pair.left, &pair.right);
    [
        Value::Text(&left.key.site_id),
        Value::Text(&left.key.offer_id),
        Value::text(left.offer_id.as_deref()),
        Value::Text(&right.key.site_id),
        Value::Text(&right.key.offer_id),
        Value::text(right.offer_id.as_deref()),
        Value::Number(pair.found.weight),
        Value::Flag(pair.found.vetoed),
    ]
}
