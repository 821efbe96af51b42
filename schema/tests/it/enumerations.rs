//! The enumerations of the interface: texts, codes, columns.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use schema::store::offers;
use schema::{
    Arrangement, Attributes, BuildingType, Equipment, OfferType, Ownership, Plan, PropertyState,
    PropertyType, SpecEnum, Subtype, UnknownValue,
};

use crate::samples::an_offer;

fn texts_and_codes_agree<E>(count: usize)
where
    E: SpecEnum + Display + FromStr<Err = UnknownValue> + PartialEq + Debug + serde::Serialize,
    E: serde::de::DeserializeOwned,
{
    assert_eq!(
        (E::ALL.len(), E::TEXTS.len()),
        (count, count),
        "{}",
        E::FIELD
    );
    for (place, (value, text)) in E::ALL.iter().zip(E::TEXTS).enumerate() {
        assert_eq!(usize::from(value.code()), place);
        assert_eq!(E::from_code(value.code()), Some(*value));
        assert_eq!((value.as_str(), value.to_string().as_str()), (*text, *text));
        assert_eq!(text.parse::<E>().unwrap(), *value);
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(json, format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<E>(&json).unwrap(), *value);
    }
    assert_eq!(E::from_code(u8::try_from(count).unwrap()), None);
    let error = "Sale ".parse::<E>().unwrap_err();
    assert_eq!(
        (error.field, error.value.as_str(), error.accepted),
        (E::FIELD, "Sale ", E::TEXTS)
    );
}

#[test]
fn every_value_has_one_text_and_one_code() {
    texts_and_codes_agree::<OfferType>(4);
    texts_and_codes_agree::<PropertyType>(5);
    texts_and_codes_agree::<Subtype>(28);
    texts_and_codes_agree::<Arrangement>(23);
    texts_and_codes_agree::<Equipment>(3);
    texts_and_codes_agree::<Ownership>(5);
    texts_and_codes_agree::<PropertyState>(10);
    texts_and_codes_agree::<BuildingType>(8);
}

#[test]
fn every_plan_is_found_by_its_id() {
    for plan in Plan::ALL {
        assert_eq!(plan.id().parse::<Plan>().unwrap(), plan);
    }
    assert!("basic".parse::<Plan>().is_err());
}

#[tokio::test]
async fn every_value_comes_back_from_its_column() {
    fn nth<E: SpecEnum>(place: usize) -> Option<E> {
        E::ALL.get(place).copied()
    }
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let change = offers::next_change(&mut tx, 29).await.unwrap();
        let mut stored = Vec::new();
        // One more than the longest list has: the last record knows nothing.
        for (place, change) in (0..29).zip(change..) {
            let mut row = an_offer(&format!("offer-{place}"));
            row.offer.attributes = Attributes {
                offer_type: nth(place),
                property_type: nth(place),
                subtype: nth(place),
                arrangement: nth(place),
                equipment: nth(place),
                ownership: nth(place),
                property_state: nth(place),
                building_type: nth(place),
                ..Attributes::default()
            };
            offers::save(&mut tx, &row, change).await.unwrap();
            stored.push(row.offer.attributes);
        }
        tx.commit().await.unwrap();
        let rows = offers::changes_between(&db, (0, i64::MAX), 100)
            .await
            .unwrap();
        assert_eq!(rows.len(), stored.len());
        for (row, stored) in rows.iter().zip(stored) {
            let read = Attributes {
                offer_type: row.offer_type,
                property_type: row.property_type,
                subtype: row.subtype,
                arrangement: row.arrangement,
                equipment: row.equipment,
                ownership: row.ownership,
                property_state: row.property_state,
                building_type: row.building_type,
                ..Attributes::default()
            };
            assert_eq!(read, stored);
        }
    })
    .await;
}
