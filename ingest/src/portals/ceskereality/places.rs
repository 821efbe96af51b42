//! The places that the portal's lists can be narrowed to, as they are written in addresses.

/// Prague, one of the kraje.
pub(crate) const PRAGUE: &str = "praha-hlavni-mesto";

/// Each kraj with its okresy.
pub(crate) const REGIONS: [(&str, &[&str]); 14] = [
    (PRAGUE, &[]),
    (
        "stredocesky-kraj",
        &[
            "benesov",
            "beroun",
            "kladno",
            "kolin",
            "kutna-hora",
            "melnik",
            "mlada-boleslav",
            "nymburk",
            "praha-vychod",
            "praha-zapad",
            "pribram",
            "rakovnik",
        ],
    ),
    (
        "jihocesky-kraj",
        &[
            "ceske-budejovice",
            "cesky-krumlov",
            "jindrichuv-hradec",
            "pisek",
            "prachatice",
            "strakonice",
            "tabor",
        ],
    ),
    (
        "plzensky-kraj",
        &[
            "domazlice",
            "klatovy",
            "plzen-mesto",
            "plzen-jih",
            "plzen-sever",
            "rokycany",
            "tachov",
        ],
    ),
    ("karlovarsky-kraj", &["cheb", "karlovy-vary", "sokolov"]),
    (
        "ustecky-kraj",
        &[
            "decin",
            "chomutov",
            "litomerice",
            "louny",
            "most",
            "teplice",
            "usti-nad-labem",
        ],
    ),
    (
        "liberecky-kraj",
        &["ceska-lipa", "jablonec-nad-nisou", "liberec", "semily"],
    ),
    (
        "kralovehradecky-kraj",
        &[
            "hradec-kralove",
            "jicin",
            "nachod",
            "rychnov-nad-kneznou",
            "trutnov",
        ],
    ),
    (
        "pardubicky-kraj",
        &["chrudim", "pardubice", "svitavy", "usti-nad-orlici"],
    ),
    // The only place of this form.
    (
        "kraj-vysocina",
        &[
            "havlickuv-brod",
            "jihlava",
            "pelhrimov",
            "trebic",
            "zdar-nad-sazavou",
        ],
    ),
    (
        "jihomoravsky-kraj",
        &[
            "blansko",
            "brno-mesto",
            "brno-venkov",
            "breclav",
            "hodonin",
            "vyskov",
            "znojmo",
        ],
    ),
    (
        "olomoucky-kraj",
        &["jesenik", "olomouc", "prostejov", "prerov", "sumperk"],
    ),
    (
        "moravskoslezsky-kraj",
        &[
            "bruntal",
            "frydek-mistek",
            "karvina",
            "novy-jicin",
            "opava",
            "ostrava-mesto",
        ],
    ),
    (
        "zlinsky-kraj",
        &["kromeriz", "uherske-hradiste", "vsetin", "zlin"],
    ),
];
