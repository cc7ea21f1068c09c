#!/usr/bin/env bash
# Tests that no round is lost when a PostgreSQL primary dies under load and its standby takes over, all on this machine:
# two instances of RBS behind nginx, on a primary with synchronous replication to a standby. Kills the primary, promotes
# the standby, sets the old primary up as the next standby, and repeats this. Prints a table of the results. Fails if an
# acknowledged round was lost or counted twice, or if a rating differs from the log:
#
#     scripts/failover.sh [REPETITIONS]
#
# Needs Rust. nginx and PostgreSQL are installed from the system's packages if they are missing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

times=${1:-3}
[[ $times =~ ^[1-9][0-9]*$ ]] || die "how often is a whole number from 1, not '$times'"

need_toolchain
# Debian installs nginx in a folder that is in PATH only for root.
PATH=$PATH:/usr/sbin:/sbin
command -v nginx >/dev/null || system_install nginx || die "there is no nginx"

# The test injects this fault half as often as others, because the fault takes long.
export RBS_TEST_FAULTS=$((times * 2))
test=faults::failover::behind_a_balancer_a_primary_that_dies_is_replaced_and_nothing_is_lost
said=$(mktemp)
trap 'rm -f "$said"' EXIT
status=0
"$here/with-postgres.sh" cargo test --locked --test it "$test" -- --exact --ignored --nocapture \
    >"$said" || status=$?
if [ "$status" -ne 0 ] || ! grep -q '^| ' "$said"; then
    cat "$said"
    die "it does not hold"
fi
echo "| fault | times | acknowledged | answers lost on the way | requests to be repeated | rounds lost | counted twice | differences between log and ratings |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
grep '^| ' "$said"
