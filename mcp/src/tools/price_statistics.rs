//! `price_statistics`: asking prices of what matches, in quartiles.

use api::beside::{Counted, Refusal};
use api::index::Figures;
use futures::future::BoxFuture;
use rmcp::model::JsonObject;
use schema::PropertyType;
use serde_json::{Value, json};
use statistics::{GroupFigures, Groups, LeftOut, Quartiles};

use super::Definition;
use super::query::Query;
use crate::arguments::Arguments;
use crate::call::{Answer, Call};
use crate::json_schema::{filter_properties, members, object};
use crate::offer_card::rounded;

/// What offers can be grouped by.
const GROUPINGS: [&str; 4] = ["none", "district", "arrangement", "month"];
/// The largest number of groups that are told: there are 77 districts.
const MOST_GROUPS: usize = 80;

/// The tool.
pub(super) const TOOL: Definition = Definition {
    name: "price_statistics",
    title: "Price statistics",
    description: "Summarise the asking prices of all offers that match the filters: their number, median and quartiles, also \
        for a square metre, as a whole or grouped by district, arrangement or month. Each property counts once. Groups of \
        fewer than eight offers are left out. offerType and type must be given, because sales and rents, or flats and land, \
        have no common price. Counts as one request of the quota.",
    input,
    output,
    run,
};

fn input() -> JsonObject {
    let mut properties = filter_properties();
    properties.extend(members(json!({
        "groupBy": {
            "type": "string",
            "enum": GROUPINGS,
            "default": "none",
            "description": "month is the month in which a portal first showed the property."
        }
    })));
    object(properties, &["offerType", "type"])
}

fn output() -> JsonObject {
    let quartiles = |meaning: &str| {
        json!({
            "type": ["object", "null"],
            "description": meaning,
            "properties": {
                "n": {"type": "integer", "description": "Offers that the figures are of."},
                "lowerQuartile": {"type": "integer"},
                "median": {"type": "integer"},
                "upperQuartile": {"type": "integer"}
            },
            "required": ["n", "lowerQuartile", "median", "upperQuartile"]
        })
    };
    let properties = members(json!({
        "groupBy": {"type": "string", "enum": GROUPINGS},
        "groups": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "group": {"type": "string", "description": "The district, arrangement or month; all without grouping."},
                    "price": quartiles("Asking prices in CZK; rents are monthly."),
                    "pricePerSquareMetre": quartiles("CZK for a square metre of the living area, of land for one of the plot; null if fewer than eight offers state an area.")
                },
                "required": ["group", "price", "pricePerSquareMetre"]
            }
        },
        "leftOut": {
            "type": "object",
            "description": "Groups that nothing is told about, because they have fewer than eight offers with a price.",
            "properties": {"groups": {"type": "integer"}, "offers": {"type": "integer"}},
            "required": ["groups", "offers"]
        },
        "withoutPrice": {"type": "integer", "description": "Matching offers that state no price."}
    }));
    object(
        properties,
        &["groupBy", "groups", "leftOut", "withoutPrice"],
    )
}

fn run(call: Call<'_>) -> BoxFuture<'_, Answer> {
    Box::pin(async move {
        let mut arguments = Arguments::new(call.arguments);
        let mut query = Query::default();
        for name in ["offerType", "type"] {
            if arguments.value(name).is_none() {
                arguments.add_fault(
                    name,
                    "is missing; figures of different kinds cannot be mixed",
                );
            }
        }
        query.add_filters(&mut arguments);
        let grouping = arguments.one_of("groupBy", &GROUPINGS).unwrap_or(0);
        query.check(&call, arguments)?;
        call.counted(Box::new(move |counted| {
            Box::pin(async move { summarised(call, &counted, query.as_str(), grouping).await })
        }))
        .await
    })
}

async fn summarised(call: Call<'_>, counted: &Counted, query: &str, grouping: usize) -> Answer {
    let matching = call.records.api.matching_as(counted, query).await?;
    let summed = tokio::task::spawn_blocking(move || {
        let (mut groups, mut without_price) = (Groups::default(), 0_usize);
        matching.visit(&mut |figures| {
            without_price += usize::from(figures.price.is_none());
            add(&mut groups, grouping, &figures);
        })?;
        Ok::<_, Refusal>((groups.finish(), without_price))
    });
    let summed = summed.await.map_err(Refusal::failure)?;
    let ((mut groups, mut left_out), without_price) = summed?;
    if groups.len() > MOST_GROUPS {
        groups.sort_by_key(|group| std::cmp::Reverse(group.offers));
        let rest = groups.split_off(MOST_GROUPS);
        left_out = LeftOut {
            groups: left_out.groups + rest.len(),
            offers: left_out.offers + rest.iter().map(|group| group.offers).sum::<usize>(),
        };
    }
    Ok(json!({
        "groupBy": GROUPINGS[grouping],
        "groups": groups.iter().map(told).collect::<Vec<Value>>(),
        "leftOut": {"groups": left_out.groups, "offers": left_out.offers},
        "withoutPrice": without_price,
    }))
}

fn add(groups: &mut Groups, grouping: usize, figures: &Figures<'_>) {
    let area = if figures.property_type == Some(PropertyType::Land) {
        figures.land_area
    } else {
        figures.living_area
    };
    let mut add = |group: &str| groups.add(group, figures.price, area);
    match GROUPINGS[grouping] {
        "district" => add(figures.district.unwrap_or("unknown")),
        "arrangement" => {
            let arrangement = figures.arrangement.map(schema::SpecEnum::as_str);
            add(arrangement.unwrap_or("unknown"));
        }
        "month" => add(&figures.first_month.to_string()),
        _ => add("all"),
    }
}

fn told(group: &GroupFigures) -> Value {
    json!({
        "group": group.name,
        "price": group.price.map(rounded_quartiles),
        "pricePerSquareMetre": group.per_area.map(rounded_quartiles),
    })
}

fn rounded_quartiles(quartiles: Quartiles) -> Value {
    json!({
        "n": quartiles.n,
        "lowerQuartile": rounded(quartiles.lower),
        "median": rounded(quartiles.median),
        "upperQuartile": rounded(quartiles.upper),
    })
}
