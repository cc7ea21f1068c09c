use std::time::Duration;

use anyhow::Context as _;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler, SdkTracer, SdkTracerProvider};

use super::collector::Collector;

/// How long a stop waits for the last spans to be taken.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(3);

/// The spans that are on their way to a collector.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Sends spans to the collector at `endpoint`, such as `http://127.0.0.1:4318`.
    pub(super) fn to(endpoint: &str) -> anyhow::Result<Self> {
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Collector::default())
            .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
            .build()
            .context("RBS_OTLP_ENDPOINT (otlp_endpoint) is no address of a collector")?;
        let about = [
            KeyValue::new("service.name", "rbs"),
            KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        ];
        let resource = Resource::builder_empty().with_attributes(about).build();
        let provider = SdkTracerProvider::builder()
            // Whoever asks says which trace it belongs to, but not that it is not to be seen.
            .with_sampler(Sampler::AlwaysOn)
            .with_batch_exporter(exporter)
            .with_resource(resource)
            .build();
        Ok(Self(provider))
    }

    pub(super) fn tracer(&self) -> SdkTracer {
        self.0.tracer("rbs")
    }

    /// Sends what has not been sent yet, for as long as a stop may take; what a collector does not
    /// take by then is lost.
    pub fn finish(self) {
        if let Err(error) = self.0.shutdown_with_timeout(FLUSH_TIMEOUT) {
            tracing::warn!(%error, "The last traces were not taken");
        }
    }
}
