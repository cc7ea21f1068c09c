//! What a client would like to have, by its headers.

use axum::http::{HeaderMap, HeaderName};

/// An item of a header that is a list, with its parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'header>(&'header str);

impl<'header> Item<'header> {
    /// The item as it stands.
    pub(crate) fn text(self) -> &'header str {
        self.0
    }

    /// Whether it is `name`, in letters of either case.
    pub(crate) fn is(self, name: &str) -> bool {
        self.0
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .eq_ignore_ascii_case(name)
    }

    /// What the parameter of that name is.
    pub(crate) fn parameter(self, name: &str) -> Option<&'header str> {
        let mut parameters = self.0.split(';').skip(1);
        parameters.find_map(|parameter| {
            let (own, value) = parameter.split_once('=')?;
            let is_it = own.trim().eq_ignore_ascii_case(name);
            is_it.then(|| value.trim().trim_matches('"'))
        })
    }

    /// How much the client would like it: 1 where it does not say, 0 for not at all.
    pub(crate) fn weight(self) -> f64 {
        let weight = self.parameter("q").map(str::parse);
        match weight {
            None => 1.0,
            // What is no weight asks for nothing.
            Some(weight) => weight.unwrap_or(0.0),
        }
    }
}

/// The items of a header that is a list.
pub(crate) fn items(asked: &HeaderMap, name: HeaderName) -> impl Iterator<Item = Item<'_>> {
    let lines = asked.get_all(name).into_iter();
    let texts = lines.filter_map(|line| line.to_str().ok());
    texts
        .flat_map(|text| text.split(','))
        .map(|item| Item(item.trim()))
}
