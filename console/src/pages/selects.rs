//! Lists to choose a value from.

/// A list.
pub(super) struct Select {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) options: Vec<Choice>,
}

/// A value of a list.
pub(super) struct Choice {
    pub(super) value: String,
    pub(super) selected: bool,
}

impl Select {
    /// The list with the chosen value, which is added if it is not among the values.
    pub(super) fn new(
        (name, label): (&'static str, &'static str),
        values: impl IntoIterator<Item = String>,
        chosen: &str,
    ) -> Self {
        let mut options: Vec<Choice> = values
            .into_iter()
            .map(|value| Choice {
                selected: value == chosen,
                value,
            })
            .collect();
        if !chosen.is_empty() && !options.iter().any(|one| one.selected) {
            options.push(Choice {
                value: chosen.to_owned(),
                selected: true,
            });
        }
        Self {
            name,
            label,
            options,
        }
    }
}
