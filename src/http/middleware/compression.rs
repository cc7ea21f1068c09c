use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

/// The largest body, in bytes, that is sent as it is: what fits a few packets gains nothing.
const PLAIN: u64 = 4096;

/// Compresses larger bodies for clients that take gzip. The fastest level makes a seventh of a table of splits in a fraction of a millisecond; higher
/// ones make little less of it.
pub(crate) fn layer() -> CompressionLayer<SizeAbove> {
    with(CompressionLevel::Fastest)
}

/// Compresses the files of the dashboard as far as possible, since browsers ask for them once in a version.
pub(crate) fn layer_of_files() -> CompressionLayer<SizeAbove> {
    with(CompressionLevel::Best)
}

fn with(level: CompressionLevel) -> CompressionLayer<SizeAbove> {
    CompressionLayer::new()
        .gzip(true)
        .quality(level)
        .compress_when(SizeAbove::new(PLAIN))
}
