//! Every answer that is not a page: its status, and what it tells the person. Statuses of the console are decided here and
//! nowhere else.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use schema::store::StoreError;

use crate::language::Language;

/// Why a request gets an error.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum ConsoleError {
    /// 404.
    #[error("there is no such page, or what it shows is not stored any more")]
    NotFound,
    /// 403: a reviewer asks for what only operators may do.
    #[error("only operators may do this")]
    Forbidden,
    /// 403: the request comes from a page of another site.
    #[error("the request came from another site's page")]
    CrossOrigin,
    /// 421: the request names a host that is not in the list.
    #[error("the request names the host {0:?}, which the console does not answer to")]
    WrongHost(String),
    /// 429.
    #[error("too many wrong passwords")]
    TooManyAttempts,
    /// 400: a form with a wrong value.
    #[error("{0}")]
    Invalid(String),
    /// 409: the state does not allow the action, or somebody else was faster.
    #[error("{0}")]
    Refused(String),
    /// 500, with the cause, which is logged but not shown.
    #[error("{0}")]
    Failed(String),
}

impl From<StoreError> for ConsoleError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl ConsoleError {
    fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Forbidden | Self::CrossOrigin => StatusCode::FORBIDDEN,
            Self::WrongHost(_) => StatusCode::MISDIRECTED_REQUEST,
            Self::TooManyAttempts => StatusCode::TOO_MANY_REQUESTS,
            Self::Invalid(_) => StatusCode::BAD_REQUEST,
            Self::Refused(_) => StatusCode::CONFLICT,
            Self::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What went wrong and what to do, for the person.
    pub(crate) fn explain(&self, l: Language) -> String {
        let text = match self {
            Self::NotFound => l.t(
                "This page does not exist, or what it shows is not stored any more.",
                "Tato stránka neexistuje, nebo už není uloženo, co ukazuje.",
            ),
            Self::Forbidden => l.t(
                "Only operators may do this. Ask an operator.",
                "To smí jen provozovatel. Obraťte se na něj.",
            ),
            Self::CrossOrigin => l.t(
                "The request came from a page of another site and was refused. Open the console itself and repeat it.",
                "Požadavek přišel ze stránky jiného webu, a byl proto odmítnut. Otevřete konzoli přímo a zopakujte ho.",
            ),
            Self::WrongHost(host) => {
                return match l {
                    Language::English => format!(
                        "The console does not answer to the host {host:?}. Name it in JEDEN_CONSOLE_HOSTS."
                    ),
                    Language::Czech => format!(
                        "Konzole neodpovídá na jméno {host:?}. Uveďte ho v JEDEN_CONSOLE_HOSTS."
                    ),
                };
            }
            Self::TooManyAttempts => l.t(
                "Too many wrong passwords. Wait fifteen minutes.",
                "Příliš mnoho chybných hesel. Počkejte čtvrt hodiny.",
            ),
            Self::Failed(_) => l.t(
                "The console failed to answer. The cause is in its log; try again.",
                "Konzole neodpověděla. Příčina je v jejím logu; zkuste to znovu.",
            ),
            Self::Invalid(said) | Self::Refused(said) => return said.clone(),
        };
        text.to_owned()
    }
}

/// The response carries the error; `layers` renders it in the language of the request.
impl IntoResponse for ConsoleError {
    fn into_response(self) -> Response {
        if let Self::Failed(cause) = &self {
            tracing::error!(cause, "a page of the console failed");
        }
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}
