use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

/// Maximum size in bytes of a response body that is sent uncompressed. A body of a few packets gains nothing from
/// compression.
const PLAIN: u64 = 4096;

/// Returns a layer that compresses larger response bodies with gzip at the fastest level. The level shrinks a table of
/// splits to a seventh in a fraction of a millisecond; higher levels gain little more.
pub(crate) fn layer() -> CompressionLayer<SizeAbove> {
    with(CompressionLevel::Fastest)
}

/// Returns a layer that compresses dashboard files at the best level, because browsers fetch them once per version.
pub(crate) fn layer_of_files() -> CompressionLayer<SizeAbove> {
    with(CompressionLevel::Best)
}

fn with(level: CompressionLevel) -> CompressionLayer<SizeAbove> {
    CompressionLayer::new()
        .gzip(true)
        .quality(level)
        .compress_when(SizeAbove::new(PLAIN))
}
