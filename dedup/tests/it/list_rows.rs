//! Adverts of which only the row of a list is known: no text, no pin, no floor.

use serde_json::{Value, json};
use support::{on_each_database, records};

use super::feeding::{assert_same, deduplicate, deduplicate_everything, record_of, seen, take_in};

/// What the row of a list says about a flat.
fn row() -> Value {
    json!({
        "offerType": "sale", "type": "apartment", "title": "Prodej bytu 3+1 72 m²", "city": "Plzeň",
        "street": "Koterovská", "arrangement": "3+1", "livingArea": 72, "priceTotal": 4_890_000,
    })
}

/// The advert of a flat on this floor, in the words of its agent.
fn detail(floor: i16, text: &str) -> Value {
    let mut facts = row();
    facts["floor"] = json!(floor);
    facts["description"] = json!(text);
    facts
}

const THIRD_FLOOR: &str = "Prodáme slunný byt s lodžií ve třetím patře domu u řeky. K bytu patří sklep o ploše 3,4 m² a \
    místo ve sdílené kolárně. Rozvody jsou nové, okna plastová, orientace na jih.";
const SIXTH_FLOOR: &str = "Nabízíme byt v šestém patře s výhledem na město a s komorou o ploše 2,1 m². Dům prošel \
    celkovou revitalizací, výtah je nový. Byt je orientován na sever, vhodný na investici.";

#[tokio::test]
async fn a_row_that_fits_one_flat_only_joins_it() {
    on_each_database(async |db| {
        let lines = [
            seen("sreality", "1", 1, &detail(3, THIRD_FLOOR)),
            seen("idnes", "row", 2, &row()),
        ];
        take_in(&db, &lines).await;
        deduplicate(&db).await;
        assert_eq!(records(&db).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_row_moves_to_another_flat_when_its_detail_says_so() {
    on_each_database(async |db| {
        let lines = [
            seen("sreality", "3", 1, &detail(3, THIRD_FLOOR)),
            seen("sreality", "6", 1, &detail(6, SIXTH_FLOOR)),
            seen("idnes", "row", 2, &row()),
        ];
        take_in(&db, &lines).await;
        deduplicate(&db).await;
        for (floor, text) in [(6, SIXTH_FLOOR), (3, THIRD_FLOOR)] {
            let lines = [seen(
                "idnes",
                "row",
                10 - i64::from(floor),
                &detail(floor, text),
            )];
            take_in(&db, &lines).await;
            deduplicate(&db).await;
            assert_eq!(
                record_of(&db, "idnes", "row").await,
                record_of(&db, "sreality", &floor.to_string()).await,
                "floor {floor}"
            );
            let incremental = records(&db).await;
            deduplicate_everything(&db).await;
            assert_same(&incremental, &records(&db).await, "after the detail");
        }
    })
    .await;
}

#[tokio::test]
async fn a_row_that_says_too_little_waits_for_its_detail() {
    on_each_database(async |db| {
        let mut vague = row();
        for name in ["street", "livingArea"] {
            vague.as_object_mut().unwrap().remove(name);
        }
        vague["title"] = json!("Prodej bytu 3+1");
        let lines = [
            seen("sreality", "1", 1, &detail(3, THIRD_FLOOR)),
            seen("idnes", "row", 2, &vague),
        ];
        take_in(&db, &lines).await;
        deduplicate(&db).await;
        assert_eq!(records(&db).await.len(), 2);
        take_in(&db, &[seen("idnes", "row", 3, &detail(3, THIRD_FLOOR))]).await;
        deduplicate(&db).await;
        assert_eq!(records(&db).await.len(), 1);
    })
    .await;
}
