use axum::http::HeaderMap;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

/// Puts the span of a request into the trace that its caller says it belongs to, by the header
/// `traceparent` of W3C's Trace Context; one that makes no sense is passed over.
pub(super) fn follow(headers: &HeaderMap, span: &Span) {
    if headers.contains_key("traceparent") {
        let caller = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
        // It fails where no collector takes traces, and then nobody misses it.
        let _taken = span.set_parent(caller);
    }
}
