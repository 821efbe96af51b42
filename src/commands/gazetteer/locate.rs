//! `jeden gazetteer locate`

use std::sync::Arc;

use gazetteer::Level;
use gazetteer::NotLocated;
use gazetteer::places::Located;
use operations::words;
use serde_json::{Value, json};

use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{progress, registry};

pub async fn run(text: &str, json: bool, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let registry = registry::open(settings)?.map(Arc::new);
    let known = api::learned_gazetteer(&db, registry).await?;
    db.close().await;
    let located = match known.find(text) {
        Ok(located) => located,
        Err(refused) => {
            if json {
                progress::result(&serde_json::to_string_pretty(&refusal(&refused))?)?;
            }
            return Err(refused.into());
        }
    };
    if json {
        progress::result(&serde_json::to_string_pretty(&as_json(&located))?)?;
    } else {
        show(&located)?;
    }
    Ok(Outcome::Done)
}

fn show(located: &Located) -> std::io::Result<()> {
    progress::result(&located.to_string())?;
    progress::result(&format!(
        "  at {:.5} {:.5}",
        located.location.lat, located.location.lng
    ))?;
    for part in &located.matched {
        progress::result(&format!("  {}", words::place_match(part)))?;
    }
    let number = &located.house_number;
    if located.level != Level::Address && !number.is_empty() {
        progress::result(&format!(
            "  \"{number}\" is a house number that is not known there"
        ))?;
    }
    if !located.not_understood.is_empty() {
        progress::result(&format!(
            "  not understood: {}",
            located.not_understood.join(" ")
        ))?;
    }
    let sure = if located.is_ambiguous() {
        "another place fits nearly as well"
    } else {
        "no other place fits as well"
    };
    progress::result(&format!(
        "  fit {:.2}, score {:.2}, margin {:.3}: {sure}",
        located.fit, located.score, located.margin
    ))?;
    if !located.alternatives.is_empty() {
        progress::result(&format!("  next best: {}", located.alternatives.join("; ")))?;
    }
    Ok(())
}

/// Why a search by this address is answered with an error.
fn refusal(refused: &NotLocated) -> Value {
    json!({
        "error": refused.to_string(),
        "matched": refused.understood.iter().map(words::place_match).collect::<Vec<_>>(),
        "notUnderstood": refused.not_understood,
        "candidates": refused.candidates,
    })
}

fn as_json(located: &Located) -> Value {
    let (names, codes, number) = (&located.names, &located.codes, &located.house_number);
    json!({
        "location": located.location,
        "level": located.level.name(),
        "houseNumber": (!number.is_empty()).then(|| number.to_string()),
        "street": names.street,
        "quarter": names.quarter,
        "municipality": names.municipality,
        "district": names.district.map(gazetteer::District::name),
        "region": names.region.map(gazetteer::Region::name),
        "postalCode": located.postal_code.map(|code| code.to_string()),
        "codes": {
            "addressPlace": codes.address_place,
            "street": codes.street,
            "quarter": codes.quarter,
            "cityPart": codes.city_part,
            "municipality": codes.municipality,
        },
        "fit": located.fit,
        "score": located.score,
        "margin": located.margin,
        "ambiguous": located.is_ambiguous(),
        "matched": located.matched.iter().map(words::place_match).collect::<Vec<_>>(),
        "notUnderstood": located.not_understood,
        "alternatives": located.alternatives,
    })
}
