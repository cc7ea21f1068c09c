# The bases are those of one day, whatever their tags come to mean. `docker buildx imagetools inspect TAG` prints
# the digest of a newer one: that of the index, which has every processor.
FROM rust:1.95-slim-bookworm@sha256:d7482085ff5b415f84dba5647ae71606650bdef00db7aeb69f4b3d170c3e4082 AS build
WORKDIR /src

# The dependencies alone first: this layer is built anew only when the manifest or the settings of cargo change.
# The benches and crates come along because the manifest names them and cargo looks whether they are there.
COPY Cargo.toml Cargo.lock ./
COPY .cargo .cargo
COPY benches benches
COPY crates crates
RUN mkdir src \
    && echo 'fn main() {}' > src/main.rs \
    && touch src/lib.rs \
    && cargo build --locked --release --bin rbs

# The files keep the dates they have outside, so they can look older than what was just built.
COPY . .
RUN touch src/main.rs src/lib.rs \
    && cargo build --locked --release --bin rbs

FROM debian:bookworm-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171
RUN groupadd --gid 10001 rbs \
    && useradd --uid 10001 --gid rbs --no-create-home --home-dir /data --shell /usr/sbin/nologin rbs \
    && install --directory --owner=rbs --group=rbs --mode=0700 /data

COPY --from=build /src/target/release/rbs /usr/local/bin/rbs
COPY config/rbs.toml /etc/rbs/rbs.toml

# Inside the container every address is meant; who gets in is decided by the ports that are
# published. SQLite is for trying it out; a server is named by another DATABASE_URL.
ENV RBS_BIND=0.0.0.0:8080 \
    RBS_CONFIG=/etc/rbs/rbs.toml \
    DATABASE_URL=sqlite:///data/rbs.db

USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080

# Asks /readyz of the address above: the image has no curl and needs none.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["rbs", "health"]

ENTRYPOINT ["rbs"]
CMD ["serve"]
