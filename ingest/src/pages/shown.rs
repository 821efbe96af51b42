//! What a detail page shows of its subject: the parts that every portal's pages have, and what is read from them alike.

use schema::Listing;

use crate::notation::taken::taken;
use crate::reading::Reading;

use super::attribute_list::{self, Labels, Row};
use super::detail_page::description;
use super::on_offer;
use crate::json::Unread;

/// The parts of a detail page.
#[derive(Debug, Default)]
pub struct Shown {
    /// Its address on the portal.
    pub url: Option<String>,
    /// The portal's own words: `Prodej bytu 3+kk 67 m²`.
    pub title: Option<String>,
    /// The advertiser's headline.
    pub headline: Option<String>,
    /// The advert's text below the headline.
    pub text: Option<String>,
    /// The place, in one line.
    pub place: Option<String>,
    /// The price, with what it is for and without a struck-out one.
    pub price: Option<String>,
    /// Labels beside title and price: `Exkluzivně`, `Rezervace`.
    pub labels: Vec<String>,
    /// The attribute list.
    pub rows: Vec<Row>,
}

impl Shown {
    /// Title and headline, as far as there are any.
    pub fn titles(&self) -> Vec<&str> {
        [&self.title, &self.headline]
            .into_iter()
            .filter_map(Option::as_deref)
            .collect()
    }

    /// The listing that is shown: `kind` says what is on offer, on which the meaning of some labels depends; `rest` adds
    /// what is not read alike everywhere, such as the place.
    pub fn reading(
        &self,
        labels: &Labels,
        kind: impl FnOnce(&mut Listing, &mut Unread),
        rest: impl FnOnce(&mut Listing, &mut Unread),
    ) -> Reading {
        let mut listing = Listing::default();
        let mut unread = Unread::default();
        kind(&mut listing, &mut unread);
        self.fill(labels, &mut listing, &mut unread);
        rest(&mut listing, &mut unread);
        Reading {
            listing,
            url: self.url.clone(),
            unread: unread.into_rejects(),
        }
    }

    /// Fills texts, price, attributes, and whether a share is on offer or all of it taken.
    fn fill(&self, labels: &Labels, listing: &mut Listing, unread: &mut Unread) {
        let attributes = &mut listing.attributes;
        let [title, headline, text] =
            [&self.title, &self.headline, &self.text].map(Option::as_deref);
        attributes.title.clone_from(&self.title);
        attributes.description = description(title, headline, text);
        attributes.address.clone_from(&self.place);
        attributes.price_total = self
            .price
            .as_deref()
            .and_then(|price| on_offer::price_total(price, unread));
        attribute_list::take_over(&self.rows, labels, listing, unread);
        on_offer::settle_areas(title, listing);
        listing.evidence.share = on_offer::share_of([title, headline], text);
        listing.evidence.taken = self
            .labels
            .iter()
            .chain(&self.price)
            .find_map(|label| taken(label));
    }
}
