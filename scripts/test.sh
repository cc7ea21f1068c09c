#!/usr/bin/env bash
# Runs every test. Tests that depend on the database run on SQLite and PostgreSQL. Then schemathesis tests the service
# against its API description (scripts/schemathesis.sh), and a browser tests the dashboard (scripts/browser.sh).
# Arguments are passed to `cargo test`, and then only the selected tests run:
#
#     scripts/test.sh
#     scripts/test.sh --test it store::
#
# Needs Rust. Missing programs (PostgreSQL, pgbouncer, a C compiler, curl, openssl, sqlite3, Python, and those of the
# other scripts) are installed from the system's packages. Each part begins with its name and its usual duration. At the
# end, a summary lists result and duration of each part in seconds. The exit status is that of a failed part, if any.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

need_toolchain
# Tests run the examples in the README and in docs.
command -v curl >/dev/null || system_install curl || die "there is no curl"
# The tests of https:// create a certificate authority.
command -v openssl >/dev/null || system_install openssl || die "there is no openssl"
# Tests run the commands of the backup documentation.
command -v sqlite3 >/dev/null || system_install sqlite || die "there is no sqlite3"
# Tests run the client in examples.
command -v python3 >/dev/null || system_install python || die "there is no python3"
# A test checks that RBS refuses a pooler. Debian installs pgbouncer in a folder that is in PATH only for root.
PATH=$PATH:/usr/sbin:/usr/local/sbin
command -v pgbouncer >/dev/null || system_install pgbouncer || die "there is no pgbouncer"
# Tests run the compiled plugin; without it they fail with the reason.
"$here/plugin.sh" || say "The tests of the plugin will fail."
# Makes tests fail if a program is still missing. By default they are skipped.
export RBS_TEST_EVERYTHING=1
# More threads than processors, because most tests wait for a database or a client.
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-$((4 * $(getconf _NPROCESSORS_ONLN)))}
if [ $# -gt 0 ]; then
    say "Building the tests, which takes minutes after a change (on two cores), then running these: $*"
    exec "$here/with-postgres.sh" cargo test --locked "$@"
fi

status=0
results=()
# note PART STATUS SECONDS: records the result of a part for the summary.
note() {
    local outcome=passed
    if [ "$2" -ne 0 ]; then
        outcome="failed ($2)"
        status=$2
    fi
    results+=("$1: $outcome, $3 s")
}

# part NAME DURATION COMMAND [ARGUMENT…]: runs a part of the tests.
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

# Leaves out examples and doc tests: clippy builds the examples, and `.ci/run full` runs the doc tests.
part build "five minutes from nothing, three after a change" cargo test --locked --workspace --no-run --lib --bins --test it
if [ "$status" -ne 0 ]; then
    results+=("unit, integration, schemathesis, browser: not run, because nothing was built")
    summary
fi
part unit "half a minute" "$here/with-postgres.sh" cargo test --locked --workspace --lib --bins
part integration "eight minutes" "$here/with-postgres.sh" cargo test --locked --workspace --test it
# Uses the program built for the tests. A separate build would compile its dependencies again.
export RBS_BINARY=${CARGO_TARGET_DIR:-target}/debug/rbs
# Both parts mostly wait for the service, so they run at the same time.
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
# The end of schemathesis is the time of the last line in its output, which may be long ago.
note schemathesis "$ended" $(($(date -r "$judged" +%s) - began))
summary
