#!/usr/bin/env bash
# Tests the dashboard in a real browser, with a service and a database of its own:
#
#     scripts/browser.sh
#     scripts/browser.sh --picture     also updates the README's picture, docs/dashboard.png
#
# Needs Rust. Missing programs (Chromium, Node, npm, a C compiler) are installed from the system's packages, and the
# dependencies in tests/browser/package-lock.json from the npm registry. RBS_BINARY names an rbs program that is already
# built, CHROMIUM a browser. The exit status is that of the test.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

picture=
case ${1:-} in
    '') ;;
    --picture) picture=$PWD/docs/dashboard.png ;;
    *) die "there is no $1; --picture is all that it takes" ;;
esac

find_chromium() {
    local name
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
        if [ -n "$name" ] && command -v "$name"; then
            return 0
        fi
    done
    return 1
}
chromium=$(find_chromium) || {
    system_install chromium || die "there is no Chromium"
    chromium=$(find_chromium) || die "there is no Chromium, although it was just installed"
}
command -v node >/dev/null || system_install node || die "there is no Node"
command -v npm >/dev/null || system_install npm || die "there is no npm"
# The service prints some messages only at a terminal; `script` provides one.
command -v script >/dev/null || die "there is no script, which util-linux has"
if [ -n "$picture" ]; then
    # The picture must look the same on every machine.
    fc-list | grep -q 'Inter' || system_install letters || die "there is no font to draw the picture with"
fi

if [ -z "${RBS_BINARY:-}" ]; then
    need_toolchain
    cargo build --locked --bin rbs
    RBS_BINARY=${CARGO_TARGET_DIR:-target}/debug/rbs
fi
# The service is started in another folder, so its path must be absolute.
RBS_BINARY=$(realpath "$RBS_BINARY")

# Installs the npm packages only if the lockfile has changed since the last time.
if [ ! tests/browser/node_modules/.package-lock.json -nt tests/browser/package-lock.json ]; then
    (cd tests/browser && npm ci --no-progress >&2)
fi

export RBS_BINARY CHROMIUM="$chromium" RBS_PICTURE="$picture"
exec node --test --test-reporter=spec tests/browser/dashboard.test.mjs
