#!/usr/bin/env bash
# Runs every test. Tests whose outcome depends on the database run on SQLite and PostgreSQL. Then schemathesis judges the
# service by its description (scripts/schemathesis.sh), and a browser goes through the dashboard (scripts/browser.sh).
# Arguments go to `cargo test`, and then only those tests run:
#
#     scripts/test.sh
#     scripts/test.sh --test it store::
#
# Needs Rust; whatever else is missing (PostgreSQL, pgbouncer, a C compiler, curl, openssl, sqlite3, Python, and what
# the other scripts name) is installed from the system's packages. Each part begins with its name and about how long
# it takes; the last lines say of each whether it passed, and in how many seconds. The exit status is that of
# whichever fails.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

need_toolchain
# The examples in the README and in docs are run as they stand.
command -v curl >/dev/null || system_install curl || die "there is no curl"
# The tests of https:// have an authority of their own.
command -v openssl >/dev/null || system_install openssl || die "there is no openssl"
# The lines on backups are run too.
command -v sqlite3 >/dev/null || system_install sqlite || die "there is no sqlite3"
# The client in examples is run as it stands.
command -v python3 >/dev/null || system_install python || die "there is no python3"
# Poolers are refused, which takes one. Debian keeps it out of the PATH of most users.
PATH=$PATH:/usr/sbin:/usr/local/sbin
command -v pgbouncer >/dev/null || system_install pgbouncer || die "there is no pgbouncer"
# The game servers' plugin is run as it is compiled; its tests say again why it could not be.
"$here/plugin.sh" || say "The tests of the plugin will fail."
# What is missing all the same fails its tests; without this they would be left out.
export RBS_TEST_EVERYTHING=1
# Most tests wait for a database or a client more than they compute.
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-$((4 * $(getconf _NPROCESSORS_ONLN)))}
if [ $# -gt 0 ]; then
    say "Building the tests, which takes minutes after a change (on two cores), then running these: $*"
    exec "$here/with-postgres.sh" cargo test --locked "$@"
fi

status=0
results=()
# note PART STATUS SECONDS
note() {
    local outcome=passed
    if [ "$2" -ne 0 ]; then
        outcome="failed ($2)"
        status=$2
    fi
    results+=("$1: $outcome, $3 s")
}

# part NAME HOW-LONG COMMAND [ARGUMENT…]
part() {
    local began=$SECONDS ended=0
    say "=== $1: takes $2 on two cores"
    "${@:3}" || ended=$?
    note "$1" "$ended" $((SECONDS - began))
}

summary() {
    printf '\n=== Summary\n'
    printf '%s\n' "${results[@]}"
    exit "$status"
}

# Neither the examples nor the tests in comments: clippy builds the ones, `.ci/run full` runs the others.
part build "five minutes from nothing, three after a change" cargo test --locked --workspace --no-run --lib --bins --test it
if [ "$status" -ne 0 ]; then
    results+=("unit, integration, schemathesis, browser: not run, because nothing was built")
    summary
fi
part unit "half a minute" "$here/with-postgres.sh" cargo test --locked --workspace --lib --bins
part integration "eight minutes" "$here/with-postgres.sh" cargo test --locked --workspace --test it
# The tests have built it; built on its own, what it depends on would be compiled once more.
export RBS_BINARY=${CARGO_TARGET_DIR:-target}/debug/rbs
# Both wait for the service more than they compute, so they run at the same time.
say "=== schemathesis: takes a minute on two cores; its output comes after the browser's"
judged=$(mktemp)
began=$(date +%s)
"$here/schemathesis.sh" >"$judged" 2>&1 &
schemathesis=$!
trap 'kill "$schemathesis" 2>/dev/null || true; rm -f "$judged"' EXIT
trap 'exit 130' INT TERM HUP
part browser "a minute and a half" "$here/browser.sh"
ended=0
wait "$schemathesis" || ended=$?
cat "$judged"
# It wrote its last line when it ended, which may be long ago.
note schemathesis "$ended" $(($(date -r "$judged" +%s) - began))
summary
