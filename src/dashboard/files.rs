/// Embedded files by their path under `/assets`. `build.rs` makes the bundles `app.css`, `app.js` and `public.css`.
pub(super) const FILES: &[(&str, &[u8])] = &[
    (
        "app.css",
        include_bytes!(concat!(env!("OUT_DIR"), "/app.css")),
    ),
    (
        "app.js",
        include_bytes!(concat!(env!("OUT_DIR"), "/app.js")),
    ),
    ("docs.js", include_bytes!("docs/docs.js")),
    ("icon.svg", include_bytes!("page/icon.svg")),
    ("index.html", include_bytes!("page/index.html")),
    (
        "public.css",
        include_bytes!(concat!(env!("OUT_DIR"), "/public.css")),
    ),
    (
        "swagger-ui-bundle.js",
        include_bytes!("vendor/swagger-ui/swagger-ui-bundle.js"),
    ),
    (
        "swagger-ui-license",
        include_bytes!("vendor/swagger-ui/LICENSE"),
    ),
    (
        "swagger-ui.css",
        include_bytes!("vendor/swagger-ui/swagger-ui.css"),
    ),
    ("theme_first.js", include_bytes!("page/theme_first.js")),
    ("uplot-license", include_bytes!("vendor/uplot/LICENSE")),
];
