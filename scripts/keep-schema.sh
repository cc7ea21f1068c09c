#!/usr/bin/env bash
# Stores a small database as this version of RBS creates it, for both database engines. Tests of later versions upgrade
# these databases. Part of a release:
#
#     scripts/keep-schema.sh 0.1.0
#
# Writes tests/schemas/VERSION-sqlite.sql and tests/schemas/VERSION-postgres.sql, which must be committed. RBS_PROGRAM
# names an rbs program that is already built.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

version=${1:-}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || die "usage: keep-schema.sh VERSION, such as 0.1.0"

if [ -z "${RBS_TEST_DATABASE_URL:-}" ]; then
    command -v sqlite3 >/dev/null || system_install sqlite || die "there is no sqlite3"
    if [ -z "${RBS_PROGRAM:-}" ]; then
        need_toolchain
        cargo build --locked
        RBS_PROGRAM=${CARGO_TARGET_DIR:-target}/debug/rbs
    fi
    export RBS_PROGRAM
    exec "$here/with-postgres.sh" "$0" "$version"
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
schemas=tests/schemas
rate() {
    RBS_LOG=error RBS_CONFIG=$schemas/rbs.toml DATABASE_URL=$1 \
        "$RBS_PROGRAM" import "$schemas/log.jsonl" >/dev/null
}

rate "sqlite://$folder/rbs.db"
sqlite3 "$folder/rbs.db" .dump >"$folder/sqlite.sql"
rate "$RBS_TEST_DATABASE_URL"
# Leaves out settings, psql commands and comments, which only this version of PostgreSQL understands.
"$RBS_POSTGRES_BIN/pg_dump" --inserts --no-owner --no-privileges "$RBS_TEST_DATABASE_URL" |
    grep -Ev '^(SET |SELECT pg_catalog\.set_config|\\|--|$)' >"$folder/postgres.sql"
for engine in sqlite postgres; do
    mv "$folder/$engine.sql" "$schemas/$version-$engine.sql"
    say "$schemas/$version-$engine.sql"
done
