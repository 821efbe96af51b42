//! Complete walks of a portal.

use schema::store::crawls;
use schema::{Crawl, CrawlScope, OfferType, PropertyType};

use crate::samples::day;

fn crawl(site: &str, observed: i64, scope: CrawlScope) -> Crawl {
    Crawl {
        site_id: site.to_owned(),
        started_at: day(observed - 1),
        observed_at: day(observed),
        scope,
    }
}

#[tokio::test]
async fn walks_are_a_set_in_the_order_of_time() {
    let all = CrawlScope::default();
    let flats = CrawlScope {
        property_type: Some(PropertyType::Apartment),
        ..all
    };
    let flats_for_rent = CrawlScope {
        offer_type: Some(OfferType::Rent),
        ..flats
    };
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let given = [
            crawl("sreality", 9, flats),
            crawl("sreality", 5, all),
            crawl("sreality", 9, all),
            crawl("sreality", 9, flats_for_rent),
            crawl("idnes", 7, all),
        ];
        for (crawl, new) in given
            .iter()
            .map(|crawl| (crawl, true))
            .chain([(&given[2], false)])
        {
            assert_eq!(crawls::record(&mut tx, crawl).await.unwrap(), new);
        }
        let of_site = crawls::of_site(&mut tx, "sreality", day(5)).await.unwrap();
        assert_eq!(
            of_site,
            [&given[1], &given[2], &given[0], &given[3]].map(Clone::clone)
        );
        assert_eq!(
            crawls::of_site(&mut tx, "sreality", day(6))
                .await
                .unwrap()
                .len(),
            3
        );
        let each_since = [("sreality", day(10)), ("idnes", day(7))];
        let of_sites = crawls::of_sites(&mut tx, &each_since).await.unwrap();
        assert_eq!(of_sites, [given[4].clone()], "each portal has its own time");
        assert_eq!(
            crawls::latest(&mut tx, "sreality").await.unwrap(),
            Some(day(9))
        );
        assert_eq!(crawls::latest(&mut tx, "bezrealitky").await.unwrap(), None);
        tx.commit().await.unwrap();
    })
    .await;
}
