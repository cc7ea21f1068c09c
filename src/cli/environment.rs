/// Every variable of the name `RBS_…` that means something.
const KNOWN: [&str; 10] = [
    "RBS_BIND",
    "RBS_SECRET",
    "RBS_ADMIN_SECRET",
    "RBS_SECRET_FILE",
    "RBS_ADMIN_SECRET_FILE",
    "RBS_CONFIG",
    "RBS_LOG",
    "RBS_OTLP_ENDPOINT",
    "RBS_URL",
    "RBS_CA_FILE",
];

/// The environment variable `name`; what is no Unicode in it is replaced, and refused later.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// Warns of variables that look like settings and are none. They do not stop the start, because
/// container platforms make up `RBS_…` variables of their own.
pub(super) fn warn_of_unknown() {
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("RBS_") && !KNOWN.contains(&name.as_ref()) {
            tracing::warn!(variable = %name, "This environment variable is no setting");
        }
    }
}
