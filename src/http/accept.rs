//! Parsing of list headers such as `Accept`: items, parameters and weights.

use axum::http::{HeaderMap, HeaderName};

/// Item of an HTTP list header such as `Accept`, with its parameters, for example `text/html;q=0.8`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'header>(pub(crate) &'header str);

impl<'header> Item<'header> {
    /// Returns `true` if the header item without its parameters is `name`. ASCII case is ignored.
    pub(crate) fn is(self, name: &str) -> bool {
        self.0
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .eq_ignore_ascii_case(name)
    }

    /// Returns the value of the header item's parameter `name`, without quotes. ASCII case of the name is ignored.
    pub(crate) fn parameter(self, name: &str) -> Option<&'header str> {
        let mut parameters = self.0.split(';').skip(1);
        parameters.find_map(|parameter| {
            let (own, value) = parameter.split_once('=')?;
            let is_it = own.trim().eq_ignore_ascii_case(name);
            is_it.then(|| value.trim().trim_matches('"'))
        })
    }

    /// Returns the preference `q` that the client gave the header item: 1 if it is absent, and 0 for "not acceptable".
    pub(crate) fn weight(self) -> f64 {
        let weight = self.parameter("q").map(str::parse);
        match weight {
            None => 1.0,
            // A malformed weight makes the item not acceptable.
            Some(weight) => weight.unwrap_or(0.0),
        }
    }
}

/// Returns the items of an HTTP list header such as `Accept`, in the order in which the client sent them.
pub(crate) fn items(asked: &HeaderMap, name: HeaderName) -> impl Iterator<Item = Item<'_>> {
    let lines = asked.get_all(name).into_iter();
    let texts = lines.filter_map(|line| line.to_str().ok());
    texts
        .flat_map(|text| text.split(','))
        .map(|item| Item(item.trim()))
}
