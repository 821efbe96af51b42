//! What a page knows about who asks for it.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::Response;
use schema::Role;

use crate::access::Person;
use crate::language::Language;
use crate::state::Console;

/// Who asks, for which page, in which language.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    pub(crate) l: Language,
    pub(crate) person: Person,
    path: String,
    /// What the action said that led to this page: the value of the parameter `done`.
    done: String,
}

/// The parts of a page around its content.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) l: Language,
    pub(crate) person: String,
    pub(crate) is_operator: bool,
    pub(crate) has_logout: bool,
    /// The section of the menu.
    pub(crate) section: &'static str,
    pub(crate) path: String,
    pub(crate) said: &'static str,
    /// How often the page updates itself, in seconds; 0 if it does not.
    pub(crate) refresh: u32,
}

impl Visit {
    /// The frame of a page of this section.
    pub(crate) fn frame(&self, section: &'static str) -> Frame {
        Frame {
            l: self.l,
            person: self.person.name.clone(),
            is_operator: self.person.role == Role::Operator,
            has_logout: !self.person.is_named_by_proxy,
            section,
            path: self.path.clone(),
            said: said(&self.done, self.l),
            refresh: 0,
        }
    }

    /// The frame of a page that updates itself.
    pub(crate) fn frame_with_refresh(&self, section: &'static str, seconds: u32) -> Frame {
        Frame {
            refresh: seconds,
            ..self.frame(section)
        }
    }
}

/// What an action did. Only known codes are shown, so that a link cannot put words on a page.
fn said(code: &str, l: Language) -> &'static str {
    match code {
        "pause" => l.t("The schedule is paused.", "Plán je pozastaven."),
        "resume" => l.t("The schedule is resumed.", "Plán běží dál."),
        "run" => l.t("A crawl is queued.", "Stahování je ve frontě."),
        "queued" => l.t(
            "Such a crawl is queued already.",
            "Takové stahování už ve frontě je.",
        ),
        "running" => l.t(
            "A crawl of the portal is running.",
            "Stahování portálu právě běží.",
        ),
        "believe" => l.t(
            "A crawl that believes the portal once is queued.",
            "Ve frontě je stahování, které portálu jednou uvěří.",
        ),
        "stop" => l.t(
            "The crawl stops after the requests in flight; the next one continues it.",
            "Stahování skončí po rozběhnutých požadavcích; příští v něm pokračuje.",
        ),
        "schedule" => l.t("The schedule is saved.", "Plán je uložen."),
        "unschedule" => l.t("The portal is no longer scheduled.", "Portál už nemá plán."),
        "same" => l.t("Saved: one property.", "Uloženo: jedna nemovitost."),
        "different" => l.t(
            "Saved: different properties.",
            "Uloženo: různé nemovitosti.",
        ),
        "unsure" => l.t("Saved: cannot tell.", "Uloženo: nelze říci."),
        "undone" => l.t("The answer is taken back.", "Odpověď je vzata zpět."),
        _ => "",
    }
}

impl FromRequestParts<Console> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, console: &Console) -> Result<Self, Response> {
        let person = Person::from_request_parts(parts, console).await?;
        let query = parts.uri.query().unwrap_or_default();
        let done = query.split('&').find_map(|one| one.strip_prefix("done="));
        let kept: Vec<&str> = query
            .split('&')
            .filter(|one| !one.is_empty() && !one.starts_with("done="))
            .collect();
        let path = parts.uri.path();
        Ok(Self {
            l: Language::of_request(&parts.headers),
            person,
            path: if kept.is_empty() {
                path.to_owned()
            } else {
                format!("{path}?{}", kept.join("&"))
            },
            done: done.unwrap_or_default().to_owned(),
        })
    }
}
