//! `jeden gazetteer show`

use comfy_table::Table;
use gazetteer::registry::{ATTRIBUTION, Edition, Registry};
use indicatif::DecimalBytes;
use schema::store::gazetteer as editions;

use crate::outcome::Outcome;
use crate::progress;
use crate::settings::Settings;

pub async fn run(settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let recorded = editions::current(&db).await?;
    db.close().await;
    let file = settings.gazetteer();
    let Some(registry) = crate::registry::open(settings)? else {
        progress::say(&format!(
            "There is no address registry at {}.",
            file.display()
        ));
        if let Some(recorded) = recorded {
            progress::say(&format!(
                "The database says that edition {:.12} is in use: copy its file here, or import it again.",
                recorded.id
            ));
        } else {
            progress::say(
                "Addresses are found by the places that listings name. `jeden gazetteer import` imports a registry.",
            );
        }
        return Ok(Outcome::Done);
    };
    let edition = Registry::edition(&registry);
    progress::result(&format!("{}", file.display()))?;
    let outlines = Registry::outlines(&registry).len();
    contents(edition, std::fs::metadata(&file)?.len(), outlines)?;
    match recorded {
        Some(recorded) if recorded.id == edition.id_text() => {
            progress::result(&format!("in use since {}", recorded.imported_at))?;
        }
        Some(recorded) => progress::say(&format!(
            "The database says that edition {:.12} is in use, not this one: copy its file here, or import it again.",
            recorded.id
        )),
        None => progress::say(
            "The database has no record of this import: run `jeden gazetteer import` here to record it.",
        ),
    }
    Ok(Outcome::Done)
}

/// Prints the date, id and counts of an edition, with the number of its boundaries.
pub fn contents(edition: &Edition, size: u64, outlines: usize) -> std::io::Result<()> {
    let counts = &edition.counts;
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    let whole_country = match edition.whole_country {
        0 => "not an edition of the whole country".to_owned(),
        _ => format!("whole country, {}", edition.whole_country_text()),
    };
    table.add_row([
        "edition".to_owned(),
        edition.date_text(),
        format!("{}; id {}", whole_country, edition.short_id()),
    ]);
    let rows = [
        (
            "municipalities",
            counts.municipalities,
            format!("{} with a district", counts.with_district),
        ),
        ("parts of municipalities", counts.quarters, String::new()),
        ("city parts", counts.city_parts, String::new()),
        ("streets", counts.streets, String::new()),
        ("postal codes", counts.postal_codes, String::new()),
        (
            "address places",
            counts.places,
            format!("{} without a position", counts.without_position),
        ),
        ("declined names", counts.declined, String::new()),
    ];
    for (name, count, remark) in rows {
        table.add_row([name.to_owned(), count.to_string(), remark]);
    }
    if outlines > 0 {
        let remark = "of regions and districts".to_owned();
        table.add_row(["boundaries".to_owned(), outlines.to_string(), remark]);
    }
    table.add_row([
        "file".to_owned(),
        DecimalBytes(size).to_string(),
        String::new(),
    ]);
    progress::result(&table.to_string())?;
    let attribution = if edition.attribution.is_empty() {
        ATTRIBUTION
    } else {
        &edition.attribution
    };
    progress::result(&format!("Source: {attribution}, compiled by jeden."))
}
