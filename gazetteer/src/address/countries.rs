//! Words that say in which country an address lies.

/// Whether a folded segment names the Czech Republic: said, and of no use.
pub(super) fn is_home(folded: &str) -> bool {
    matches!(
        folded,
        "cesko" | "ceska republika" | "cr" | "cz" | "czechia" | "czech republic" | "ceska rep" | "czechy"
    )
}

/// Whether a folded segment names another country, as Czech portals write it.
pub(super) fn is_foreign(folded: &str) -> bool {
    matches!(
        folded,
        "slovensko" | "slovenska republika" | "sk" | "slovakia" | "polsko" | "nemecko" | "rakousko" | "madarsko"
            | "spanelsko" | "spain" | "italie" | "italy" | "recko" | "chorvatsko" | "croatia" | "bulharsko"
            | "francie" | "portugalsko" | "kypr" | "severni kypr" | "turecko" | "egypt" | "albanie" | "cerna hora"
            | "slovinsko" | "srbsko" | "rumunsko" | "ukrajina" | "rusko" | "svycarsko" | "belgie" | "nizozemsko"
            | "velka britanie" | "anglie" | "irsko" | "svedsko" | "norsko" | "finsko" | "dansko" | "usa"
            | "spojene staty" | "spojene staty americke" | "kanada" | "mexiko" | "brazilie" | "dominikanska republika"
            | "spojene arabske emiraty" | "sae" | "dubaj" | "dubai" | "thajsko" | "indonesie" | "bali" | "kapverdy"
            | "tunisko" | "maroko" | "zanzibar" | "tanzanie" | "kena" | "gruzie" | "izrael" | "malta" | "monako"
            | "kostarika" | "panama" | "vietnam" | "filipiny" | "australie" | "novy zeland" | "zahranici"
    )
}
