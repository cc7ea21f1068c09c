#!/usr/bin/env bash
# Runs every test, on both databases, lets schemathesis judge the service by its description
# (scripts/schemathesis.sh), and goes through the dashboard in a browser (scripts/browser.sh). With
# arguments, which go to `cargo test`, only those:
#
#     scripts/test.sh
#     scripts/test.sh --test it store::
#
# Needs Rust; whatever else is missing (PostgreSQL, pgbouncer, a C compiler, curl, openssl, sqlite3, and what the
# other two scripts name) is installed from the system's packages. The exit status is that of whichever fails.
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
# Poolers are refused, which takes one. Debian keeps it out of the PATH of most users.
PATH=$PATH:/usr/sbin:/usr/local/sbin
command -v pgbouncer >/dev/null || system_install pgbouncer || die "there is no pgbouncer"
# What is missing all the same fails its tests; without this they would be left out.
export RBS_TEST_EVERYTHING=1
# Most tests wait for a database or a client more than they compute.
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-$((2 * $(getconf _NPROCESSORS_ONLN)))}
if [ $# -gt 0 ]; then
    exec "$here/with-postgres.sh" cargo test --locked "$@"
fi
# Neither the examples nor the tests in comments: clippy builds the ones, `.ci/run full` runs the others.
"$here/with-postgres.sh" cargo test --locked --lib --test it
# The tests have built it; built on its own, what it depends on would be compiled once more.
export RBS_BINARY=${CARGO_TARGET_DIR:-target}/debug/rbs
# Both wait for the service more than they compute, so they run at the same time.
judged=$(mktemp)
"$here/schemathesis.sh" >"$judged" 2>&1 &
schemathesis=$!
trap 'kill "$schemathesis" 2>/dev/null || true; rm -f "$judged"' EXIT
trap 'exit 130' INT TERM HUP
status=0
"$here/browser.sh" || status=$?
wait "$schemathesis" || status=$?
cat "$judged"
exit "$status"
