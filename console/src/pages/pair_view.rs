//! Two adverts side by side, with everything that speaks for and against one property.

use dedup::worker::{self, Listings};
use operations::explained::ComparedListings;
use schema::{PinPrecision, StoredListing};

use super::facts;
use super::marked_text::{marked, said};
use super::record::{life_spans, series, web_url};
use crate::drawing::{Ground, Pin, pin_map, price_chart, timeline, waterfall_bar};
use crate::error::ConsoleError;
use crate::format;
use crate::language::Language;
use crate::words;

/// How many characters of a description are shown.
const LONGEST: usize = 6_000;
/// Up to how many adverts at one pin are counted.
const AT_PIN: u32 = 1_000;

/// Two adverts side by side.
pub(super) struct PairView {
    pub(super) sides: [Side; 2],
    pub(super) facts: Vec<FactRow>,
    pub(super) common: Vec<String>,
    pub(super) map: String,
    pub(super) distance: String,
    pub(super) prices: String,
    pub(super) life: String,
    pub(super) steps: Vec<Step>,
    pub(super) total: String,
    pub(super) veto: String,
    pub(super) meets_by: String,
}

/// One advert. Title and text are HTML, with what the other advert does not say marked.
pub(super) struct Side {
    pub(super) key: String,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) seen: String,
    pub(super) record: String,
    pub(super) url: String,
    pub(super) is_live: bool,
}

/// A fact of both adverts.
pub(super) struct FactRow {
    pub(super) name: &'static str,
    pub(super) left: String,
    pub(super) right: String,
    pub(super) class: &'static str,
}

/// A step of the waterfall.
pub(super) struct Step {
    pub(super) comparison: String,
    pub(super) level: String,
    pub(super) values: String,
    pub(super) weight: String,
    pub(super) class: &'static str,
    pub(super) bar: String,
}

impl PairView {
    /// Gathers the view. `listings` are in the order of the pair; `streets` says whose street map lies beneath the pins.
    pub(super) async fn load(
        (source, streets): (Listings<'_>, Option<&str>),
        listings: &[StoredListing; 2],
        compared: &ComparedListings,
        l: Language,
    ) -> Result<Self, ConsoleError> {
        let spans = life_spans(source.db, listings, l).await?;
        let evidence = &compared.pair.evidence;
        let ground = Ground {
            registry: source.addresses.gazetteer().registry(),
            streets,
        };
        let (map, distance) = map(ground, listings, l);
        Ok(Self {
            sides: sides(listings, l),
            facts: fact_rows(listings),
            common: common(source, listings, l).await?,
            map,
            distance,
            prices: price_chart(&series(listings), l.t("Asking prices", "Ceny")),
            life: timeline(&spans, l.t("Life of the adverts", "Život inzerátů")),
            steps: steps(compared, l),
            total: format!(
                "{} {}",
                l.t("match weight", "váha shody"),
                format::weight(evidence.weight)
            ),
            veto: evidence
                .veto
                .as_deref()
                .map(|veto| words::veto(veto, l).to_owned())
                .unwrap_or_default(),
            meets_by: if compared.pair.meets_by.is_empty() {
                l.t(
                    "They share no blocking key.",
                    "Nemají společný blokovací klíč.",
                )
                .to_owned()
            } else {
                let keys = words::blocking_rules(&compared.pair.meets_by, l);
                format!(
                    "{}: {keys}",
                    l.t("compared because they share", "porovnány, protože sdílejí")
                )
            },
        })
    }
}

fn sides(listings: &[StoredListing; 2], l: Language) -> [Side; 2] {
    let title = |place: usize| {
        let title = &listings[place].state.listing.attributes.title;
        title.as_deref().unwrap_or_default()
    };
    let text = |place: usize| {
        let text = &listings[place].state.listing.attributes.description;
        let text = text.as_deref().unwrap_or_default();
        let end = text
            .char_indices()
            .nth(LONGEST)
            .map_or(text.len(), |(end, _)| end);
        text.get(..end).unwrap_or_default()
    };
    let everything = [0, 1].map(|place| said(&format!("{} {}", title(place), text(place))));
    [0, 1].map(|place| {
        let (listing, other) = (&listings[place], &everything[1 - place]);
        let state = &listing.state;
        Side {
            key: listing.key.to_string(),
            title: marked(title(place), other),
            text: marked(text(place), other),
            seen: format!(
                "{} {} – {}",
                l.t("seen", "viděn"),
                format::date(state.first_seen_at),
                format::date(state.gone_at.unwrap_or(state.last_seen_at))
            ),
            record: listing
                .offer_id
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            url: web_url(listing),
            is_live: state.is_live(),
        }
    })
}

/// The facts that at least one advert states. Texts and pins are shown elsewhere.
fn fact_rows(listings: &[StoredListing; 2]) -> Vec<FactRow> {
    let [left, right] =
        [0, 1].map(|place: usize| facts::stated(&listings[place].state.listing.attributes));
    let value = |of: &[(&'static str, String)], name: &str| {
        of.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.clone())
    };
    let fields = schema::offer_fields::FIELDS.iter().map(|field| field.name);
    let shown = fields.filter(|name| !["title", "description", "location"].contains(name));
    let rows = shown.filter_map(|name| {
        let (one, other) = (value(&left, name), value(&right, name));
        let class = match (&one, &other) {
            (None, None) => return None,
            (Some(one), Some(other)) if one.to_lowercase() == other.to_lowercase() => "agrees",
            (Some(_), Some(_)) => "differs",
            _ => "onesided",
        };
        Some(FactRow {
            name,
            left: one.unwrap_or_default(),
            right: other.unwrap_or_default(),
            class,
        })
    });
    rows.collect()
}

/// How many adverts share the pin of each.
async fn common(
    Listings { db, addresses }: Listings<'_>,
    listings: &[StoredListing; 2],
    l: Language,
) -> Result<Vec<String>, ConsoleError> {
    let mut tx = db.begin_read().await?;
    let profiles = worker::load_profiles(&mut tx, addresses, listings).await?;
    let mut lines = Vec::new();
    for profile in &profiles {
        let found = worker::listings_at_pin(&mut tx, profile, AT_PIN).await?;
        if let Some(count) = found {
            let adverts = l.counted(
                count,
                ["advert", "adverts"],
                ["inzerát", "inzeráty", "inzerátů"],
            );
            lines.push(format!(
                "{} {}: {adverts}",
                l.t("The pin of", "Špendlík"),
                profile.key
            ));
        }
    }
    tx.rollback().await?;
    Ok(lines)
}

/// How many metres a pin may be off, by the precision that the portal declares.
fn off_by(precision: Option<PinPrecision>) -> f64 {
    match precision {
        Some(PinPrecision::Exact) => 15.0,
        Some(PinPrecision::Street) => 150.0,
        Some(PinPrecision::Quarter) => 1_000.0,
        Some(PinPrecision::Municipality) => 3_000.0,
        None => 300.0,
    }
}

fn map(ground: Ground<'_>, listings: &[StoredListing; 2], l: Language) -> (String, String) {
    let pins: Vec<Pin> = listings
        .iter()
        .filter_map(|listing| {
            let pin = listing.state.listing.attributes.location?;
            let precision = listing.state.listing.evidence.pin;
            Some((pin, off_by(precision), listing.key.to_string()))
        })
        .collect();
    let drawn = pin_map(
        &pins,
        ground,
        l.t(
            "Both pins with their precision, and the houses around",
            "Oba špendlíky s přesností a domy okolo",
        ),
    );
    let distance = match &*pins {
        [(one, ..), (other, ..)] => {
            let metres = one.metres_to(*other);
            let far = if metres >= 1_000.0 {
                format!("{}\u{a0}km", format::number(metres / 1_000.0, 1))
            } else {
                format!("{}\u{a0}m", format::number(metres, 0))
            };
            format!(
                "{} {far}",
                l.t("The pins are apart by", "Špendlíky jsou od sebe")
            )
        }
        _ => String::new(),
    };
    (drawn, distance)
}

fn steps(compared: &ComparedListings, l: Language) -> Vec<Step> {
    let bars = &compared.pair.evidence.bars;
    let mut sum = 0.0;
    let mut sums = vec![0.0];
    for bar in bars {
        sum += bar.weight;
        sums.push(sum);
    }
    let scale = (
        sums.iter().copied().fold(0.0, f64::min),
        sums.iter().copied().fold(0.0, f64::max),
    );
    let steps = bars.iter().enumerate().map(|(place, bar)| Step {
        comparison: words::comparison(&bar.comparison, l).to_owned(),
        level: words::level(&bar.level, l).to_owned(),
        values: words::values(bar, l),
        weight: format::weight(bar.weight),
        class: if bar.weight < 0.0 { "against" } else { "for" },
        bar: waterfall_bar(sums[place], sums[place + 1], scale),
    });
    steps.collect()
}
