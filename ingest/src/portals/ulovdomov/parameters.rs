//! The parameters of an advert's page: titles and values of the list of facts that the page shows.

use schema::Listing;
use serde_json::{Map, Value};

use super::payload::{Choice, Parameter};
use crate::json::{Field, Object, Unread, part};
use crate::pages::attribute_list::{self, Attribute, Labels, Row};

/// The title of the level in the house: whether it counts from 0 or from 1 is for others to say.
const LEVEL: &str = "patro";

/// What the titles say.
const LABELS: &Labels = &[
    ("stav objektu", Attribute::Condition),
    ("stavba", Attribute::Construction),
    ("vlastnictvi", Attribute::Ownership),
    ("vybaveni", Attribute::Equipment),
    ("poloha domu", Attribute::Position),
    ("odpad", Attribute::Sewerage),
    ("vytapeni", Attribute::Heating),
    ("energeticka narocnost", Attribute::EnergyClass),
    ("pocet podlazi", Attribute::FloorCount),
    ("uzitna plocha", Attribute::LivingArea),
    ("celkova plocha", Attribute::TotalArea),
    ("plocha pozemku", Attribute::LandArea),
    ("balkon", Attribute::Balcony),
    ("lodzie", Attribute::Loggia),
    ("terasa", Attribute::Terrace),
    ("sklep", Attribute::Cellar),
    ("zahrada", Attribute::Garden),
    ("vytah", Attribute::Elevator),
    ("garaz", Attribute::Garage),
    ("parkovani", Attribute::Parking),
    ("bazen", Attribute::Pool),
    ("bezbarierovy", Attribute::BarrierFree),
    ("bezbarierovy pristup", Attribute::BarrierFree),
    (LEVEL, Attribute::Beside),
    ("cena", Attribute::Beside),
    ("cesta", Attribute::Beside),
    ("dispozice", Attribute::Beside),
    ("doprava", Attribute::Beside),
    ("elektrina", Attribute::Beside),
    ("internet", Attribute::Beside),
    ("k dispozici od", Attribute::Beside),
    ("pocet pokoju", Attribute::Beside),
    ("plyn", Attribute::Beside),
    ("poplatky", Attribute::Beside),
    ("rok rekonstrukce", Attribute::Beside),
    ("rok vystavby", Attribute::Beside),
    ("telekomunikace", Attribute::Beside),
    ("typ nemovitosti", Attribute::Beside),
    ("umisteni objektu", Attribute::Beside),
    ("vodni zdroj", Attribute::Beside),
    ("voda", Attribute::Beside),
    ("vratna kauce", Attribute::Beside),
];

/// Takes the parameters over, where the advert itself does not say the same, and returns the level in the house that
/// they name.
pub fn take(
    parameters: &Field<Map<String, Value>>,
    listing: &mut Listing,
    unread: &mut Unread,
) -> Option<f64> {
    let parameters = unread.read("parameters", parameters).unwrap_or_default();
    let rows: Vec<Row> = parameters
        .values()
        .filter_map(|parameter| row(parameter, unread))
        .collect();
    attribute_list::take_over(&rows, LABELS, listing, unread);
    let written = attribute_list::value(&rows, LEVEL)?;
    let level = written
        .trim()
        .parse()
        .ok()
        .filter(|level: &f64| level.is_finite());
    if level.is_none() {
        unread.note("floor", written, "not a floor");
    }
    level
}

/// A parameter as the page shows it: `Sklep: Ano`, `Odpad: septik, jímka`.
fn row(parameter: &Value, unread: &mut Unread) -> Option<Row> {
    let parameter: Parameter = part(parameter);
    let title = unread.word("parameters", &parameter.title)?;
    Some(Row::new(&title, value(&parameter, unread)?))
}

fn value(parameter: &Parameter, unread: &mut Unread) -> Option<String> {
    let mut titles = Vec::new();
    for choice in unread
        .read("parameters", &parameter.options)
        .unwrap_or_default()
    {
        let Some(Object(Choice { title })) = unread.read("parameters", &choice) else {
            continue;
        };
        titles.extend(unread.word("parameters", &title));
    }
    if !titles.is_empty() {
        return Some(titles.join(", "));
    }
    match parameter.value.get()? {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(if *flag { "Ano" } else { "Ne" }.to_owned()),
        _ => None,
    }
}
