#!/usr/bin/env bash
# Lets a PostgreSQL die under load and its standby take over, on this machine and with nothing left
# behind: two instances of RBS behind nginx, over a primary that answers a commit once a streaming
# standby has it. The primary is killed, the standby promoted, and what died set up as the next
# standby, again and again. Prints a table of what came of it, and fails where an acknowledged round
# was lost or counted twice, or a rating is not what the log says:
#
#     scripts/failover.sh [HOW OFTEN]
#
# Needs Rust; nginx and PostgreSQL are installed from the system's packages where they are missing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

times=${1:-3}
[[ $times =~ ^[1-9][0-9]*$ ]] || die "how often is a whole number from 1, not '$times'"

need_toolchain
# Debian keeps nginx where only root looks.
PATH=$PATH:/usr/sbin:/sbin
command -v nginx >/dev/null || system_install nginx || die "there is no nginx"

# The tests make this fault half as often as others, because it takes long.
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
