#!/usr/bin/env bash
# Tests the service against its API description with schemathesis, which generates valid and invalid requests and
# compares each answer with docs/openapi.json. Then promtool checks the metrics. The service uses an SQLite database in
# a temporary folder, which is deleted at the end.
#
#     scripts/schemathesis.sh
#
# Needs Rust and Python 3.10 or newer. Python is installed from the system's packages if it is missing, and schemathesis
# into a folder under target/.
#
# RBS_BINARY                 an rbs program that is already built
# RBS_SCHEMATHESIS_SEED      seed of the generated requests (default: 1)
# RBS_SCHEMATHESIS_EXAMPLES  number of generated requests of each kind (default: 15)

# Calls by a trap are invisible to shellcheck.
# shellcheck disable=SC2317,SC2329
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

VERSION=4.32.5
LONGEST=600

need_toolchain
command -v curl >/dev/null || system_install curl || die "there is no curl"

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
if [ -z "${RBS_BINARY:-}" ]; then
    cargo build --locked --quiet --bin rbs
    RBS_BINARY=$target/debug/rbs
fi
# The service is started in another folder, so its path must be absolute.
rbs=$(realpath "$RBS_BINARY")

tools=$target/schemathesis-$VERSION
if [ ! -e "$tools/complete" ]; then
    if ! python3 -c 'import ensurepip' 2>/dev/null; then
        system_install python || die "there is no Python that makes virtual environments"
    fi
    python=$(command -v python3) || die "there is no python3; please install Python 3.10 or newer"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
        die "$python is older than Python 3.10, which schemathesis needs"
    rm -rf "$tools"
    "$python" -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$VERSION"
    touch "$tools/complete"
fi

folder=$(mktemp -d)
service=
cleanup() {
    if [ -n "$service" ]; then
        kill "$service" 2>/dev/null || true
        wait "$service" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# Enables features that are off by default: the public leaderboard, and voids by game servers. The minimum rating is 0
# because generated ratings are mostly low.
cat >"$folder/rbs.toml" <<'TOML'
void_own_minutes = 60
[rating]
min_rating = 0
[leaderboard]
public = "ratings"
TOML

: >"$folder/welcome"
export RBS_SECRET=schemathesis-is-a-game-server RBS_ADMIN_SECRET=schemathesis-is-an-admin
(
    cd "$folder"
    unset RBS_BINARY RBS_TEST_EVERYTHING
    RBS_CONFIG=rbs.toml DATABASE_URL="sqlite://$folder/rbs.db" RBS_BIND=127.0.0.1:0 RBS_LOG=warn exec "$rbs" serve
) >"$folder/welcome" 2>"$folder/log" &
service=$!
address=
for _ in $(seq 100); do
    address=$(sed -n 's/^RBS listens on //p' "$folder/welcome")
    [ -z "$address" ] || break
    kill -0 "$service" 2>/dev/null || die "the service ended: $(cat "$folder/log")"
    sleep 0.1
done
[ -n "$address" ] || die "the service did not start within ten seconds"

cp scripts/schemathesis.toml "$folder/schemathesis.toml"
status=0
(
    cd "$folder"
    timeout "$LONGEST" "$tools/bin/st" --config-file schemathesis.toml run "$address/openapi.json" \
        --checks all --seed "${RBS_SCHEMATHESIS_SEED:-1}" \
        --max-examples "${RBS_SCHEMATHESIS_EXAMPLES:-15}" \
        --header "Authorization: Bearer $RBS_ADMIN_SECRET"
) || status=$?
if command -v promtool >/dev/null || { system_install promtool && command -v promtool >/dev/null; }; then
    curl --fail --silent --show-error --header "Authorization: Bearer $RBS_SECRET" "$address/metrics" >"$folder/metrics"
    # promtool prints the problems that it finds, and fails.
    if promtool check metrics <"$folder/metrics"; then
        say "promtool finds nothing wrong with $(grep -c '^# TYPE' "$folder/metrics") metrics."
    else
        status=1
    fi
else
    say "SKIPPED: whether Prometheus reads the metrics; promtool is not to be had."
fi
if grep -q . "$folder/log"; then
    say "The service's log:"
    tail -n 20 "$folder/log" >&2
fi
[ "$status" -ne 124 ] || die "schemathesis was not done after $LONGEST seconds"
exit "$status"
