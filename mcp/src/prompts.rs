//! Prompts that people choose, and the completion of their arguments.

use czech::fold_name;
use rmcp::model::{
    CompleteResult, CompletionInfo, GetPromptResult, JsonObject, Prompt, PromptArgument,
    PromptMessage, Role,
};
use schema::{Arrangement, OfferType, SpecEnum};

use crate::offer_card::plain;

/// The longest argument that is put into a prompt, in characters.
const LONGEST: usize = 100;

/// What the arguments of a prompt become.
type Write = fn(&dyn Fn(&str) -> Option<String>) -> String;

struct Definition {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Name, meaning, and whether it must be given.
    arguments: &'static [(&'static str, &'static str, bool)],
    write: Write,
}

const PROMPTS: [Definition; 2] = [
    Definition {
        name: "find_home",
        title: "Find a home",
        description: "Search a district for flats that fit a budget, and compare the best ones.",
        arguments: &[
            (
                "district",
                "District (okres), such as Praha or Kladno",
                true,
            ),
            ("offerType", "sale or rent; sale by default", false),
            ("arrangement", "Czech room layout, such as 2+kk", false),
            (
                "priceMax",
                "The highest price in CZK, a month for a rent",
                false,
            ),
        ],
        write: find_home,
    },
    Definition {
        name: "judge_price",
        title: "Judge a price",
        description: "Compare the asking price of an offer with those of similar ones around it.",
        arguments: &[("id", "The id of the offer", true)],
        write: judge_price,
    },
];

fn find_home(argument: &dyn Fn(&str) -> Option<String>) -> String {
    let district = argument("district").unwrap_or_default();
    let offer_type = argument("offerType").unwrap_or_else(|| "sale".to_owned());
    let layout =
        argument("arrangement").map_or_else(String::new, |it| format!(", arrangement {it}"));
    let price = argument("priceMax").map_or_else(String::new, |it| format!(", priceMax {it}"));
    format!(
        "Find a flat in the district {district}: search_offers with offerType {offer_type}, type apartment{layout}{price}. Look \
         at price_statistics of the same filters to say what is usual. Choose the three to five most promising offers, put them \
         side by side with compare_offers, and say for each what speaks for and against it, how long it has been on the market \
         and on which portals it is. Name what the data does not say."
    )
}

fn judge_price(argument: &dyn Fn(&str) -> Option<String>) -> String {
    let id = argument("id").unwrap_or_default();
    format!(
        "Is the asking price of the offer {id} high or low? Get it with get_offer. Ask price_statistics for live offers of the \
         same offerType, type, district and arrangement, and compare the price of a square metre with the quartiles. Mention its \
         days on the market and its changes of price. Say how many offers the comparison rests on. These are asking prices, not \
         what was paid."
    )
}

/// Every prompt as it is listed.
pub(crate) fn all() -> Vec<Prompt> {
    let listed = |prompt: &Definition| {
        let arguments = prompt.arguments.iter().map(|(name, meaning, required)| {
            PromptArgument::new(*name)
                .with_description(*meaning)
                .with_required(*required)
        });
        Prompt::new(
            prompt.name,
            Some(prompt.description),
            Some(arguments.collect()),
        )
        .with_title(prompt.title)
    };
    PROMPTS.iter().map(listed).collect()
}

/// A prompt with its arguments.
///
/// # Errors
/// What is wrong with the name or the arguments.
pub(crate) fn get(name: &str, given: Option<&JsonObject>) -> Result<GetPromptResult, String> {
    let prompt = PROMPTS.iter().find(|prompt| prompt.name == name);
    let prompt = prompt.ok_or_else(|| {
        let names: Vec<&str> = PROMPTS.iter().map(|prompt| prompt.name).collect();
        format!("unknown prompt; the prompts are {}", names.join(", "))
    })?;
    let argument = |name: &str| {
        let text = given?.get(name)?.as_str().map(|text| plain(text, LONGEST));
        text.filter(|text| !text.is_empty())
    };
    if let Some((missing, meaning, _)) = prompt
        .arguments
        .iter()
        .find(|(name, _, required)| *required && argument(name).is_none())
    {
        return Err(format!("the argument {missing} is missing: {meaning}"));
    }
    let text = (prompt.write)(&argument);
    Ok(
        GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)])
            .with_description(prompt.description),
    )
}

/// The values of an argument that begin as `typed`, whatever its case and diacritics.
pub(crate) fn complete(argument: &str, typed: &str, districts: &[Box<str>]) -> CompleteResult {
    let values: Vec<&str> = match argument {
        "district" => districts.iter().map(AsRef::as_ref).collect(),
        "offerType" => OfferType::TEXTS.to_vec(),
        "arrangement" => Arrangement::TEXTS.to_vec(),
        _ => Vec::new(),
    };
    let typed = fold_name(typed);
    let fitting = values
        .into_iter()
        .filter(|value| fold_name(value).starts_with(&typed));
    let mut fitting: Vec<String> = fitting.map(str::to_owned).collect();
    let total = fitting.len();
    fitting.truncate(CompletionInfo::MAX_VALUES);
    let has_more = total > fitting.len();
    let completion = CompletionInfo::with_pagination(fitting, u32::try_from(total).ok(), has_more);
    // It has no more values than the largest number.
    CompleteResult::new(completion.unwrap_or_default())
}
