//! Which district a municipality lies in.

use std::collections::HashMap;

use schema::ListingId;
use schema::store::municipalities::Tally;
use schema::store::{Tx, listings, municipalities};

use crate::samples::stored;

async fn tally_of(tx: &mut Tx, municipality: &str) -> Tally {
    let asked = [municipality, "praha"].map(str::to_owned);
    let mut tallies = municipalities::tallies(tx, &asked).await.unwrap();
    assert!(!tallies.contains_key("praha"), "praha has no votes");
    tallies.remove(municipality).unwrap()
}

#[tokio::test]
async fn each_listing_has_one_vote() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let votes = [
            (ListingId(1), "lhota", Some("Kolín")),
            (ListingId(2), "lhota", Some("Beroun")),
            (ListingId(3), "lhota", None),
            (ListingId(4), "lhota", Some("Kolín")),
            (ListingId(5), "ujezd", Some("Praha-západ")),
        ];
        municipalities::vote_all(&mut tx, &votes).await.unwrap();
        let tally = tally_of(&mut tx, "lhota").await;
        assert_eq!(tally, [("Kolín".to_owned(), 2), ("Beroun".to_owned(), 1)]);

        municipalities::vote(&mut tx, ListingId(1), "lhota", Some("Beroun"))
            .await
            .unwrap();
        municipalities::vote(&mut tx, ListingId(4), "ujezd", None)
            .await
            .unwrap();
        municipalities::withdraw(&mut tx, ListingId(2))
            .await
            .unwrap();
        let tally = tally_of(&mut tx, "lhota").await;
        assert_eq!(tally, [("Beroun".to_owned(), 1)]);

        let listings: Vec<ListingId> = (1..=5).map(ListingId).collect();
        let votes = municipalities::votes_of(&mut tx, &listings).await.unwrap();
        let expected = [(1, "lhota"), (3, "lhota"), (4, "ujezd"), (5, "ujezd")];
        let named: Vec<(i64, &str)> = votes
            .iter()
            .map(|(id, name, _)| (id.0, name.as_str()))
            .collect();
        assert_eq!(named, expected);
        assert_eq!(votes[0].2.as_deref(), Some("Beroun"));
        assert_eq!(votes[2].2, None);
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn equal_tallies_stand_in_the_order_of_bytes() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        for (voter, district) in (1..).zip(["Žďár nad Sázavou", "zlin", "Zlín", "Česká Lípa"])
        {
            municipalities::vote(&mut tx, ListingId(voter), "lhota", Some(district))
                .await
                .unwrap();
        }
        let tally = tally_of(&mut tx, "lhota").await;
        let names: Vec<&str> = tally.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Zlín", "zlin", "Česká Lípa", "Žďár nad Sázavou"]);
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_settlement_can_be_changed_and_dropped() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        for decided in [
            [("lhota", Some("Kolín")), ("ujezd", Some("Brno-venkov"))],
            [("lhota", Some("Beroun")), ("ujezd", None)],
        ] {
            municipalities::settle(&mut tx, &decided).await.unwrap();
        }
        let asked = ["lhota", "ujezd", "praha"].map(str::to_owned);
        let settled = municipalities::settled(&mut tx, &asked).await.unwrap();
        assert_eq!(
            settled,
            HashMap::from([("lhota".to_owned(), "Beroun".to_owned())])
        );
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_changed_district_is_looked_at_again_by_those_who_voted() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let (voter, other) = (stored(&mut tx, "1").await, stored(&mut tx, "2").await);
        municipalities::vote(&mut tx, voter, "lhota", None)
            .await
            .unwrap();
        municipalities::vote(&mut tx, other, "ujezd", None)
            .await
            .unwrap();
        listings::settle(&mut tx, &[(voter, 1), (other, 1)])
            .await
            .unwrap();
        listings::requeue_municipalities(&mut tx, &["lhota", "praha"])
            .await
            .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(listings::pending(&db, 10).await.unwrap(), [voter]);
    })
    .await;
}
