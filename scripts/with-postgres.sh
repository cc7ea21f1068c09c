#!/usr/bin/env bash
# Runs a command with a PostgreSQL of its own, which is gone afterwards:
#
#     scripts/with-postgres.sh cargo bench --locked
#
# The command finds it in RBS_TEST_DATABASE_URL, as a superuser. The server listens on a socket in
# its own temporary folder and on no port, so any number of these can run at the same time and
# next to a PostgreSQL of the machine's.
#
# RBS_POSTGRES_BIN    the folder of initdb and pg_ctl, where it is not found by itself
# RBS_POSTGRES_FSYNC  on: commits reach the disk, for measurements; off (the default): they do not

# Functions that only a trap calls look uncalled to shellcheck.
# shellcheck disable=SC2317,SC2329
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"

[ $# -gt 0 ] || die "usage: with-postgres.sh COMMAND [ARGUMENT…]"

has_server() {
    [ -x "$1/initdb" ] && [ -x "$1/pg_ctl" ]
}

# Prints the folder of initdb and pg_ctl, or nothing. Debian and others keep them out of PATH, a
# folder a version; the newest serves.
find_postgres() {
    local initdb folder
    # Where initdb is a link, the other programs need not have one next to it.
    if initdb=$(command -v initdb) && initdb=$(readlink -f "$initdb") &&
        has_server "$(dirname "$initdb")"; then
        dirname "$initdb"
        return
    fi
    for folder in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin \
        /usr/local/opt/postgresql*/bin /opt/homebrew/opt/postgresql*/bin; do
        if has_server "$folder"; then
            printf '%s\n' "$folder"
        fi
    done | sort -V | tail -n 1
}

if [ -n "${RBS_POSTGRES_BIN:-}" ]; then
    bin=$RBS_POSTGRES_BIN
    has_server "$bin" || die "RBS_POSTGRES_BIN=$bin holds no initdb and pg_ctl"
else
    bin=$(find_postgres)
    if [ -z "$bin" ]; then
        system_install postgres || die "there is no PostgreSQL to test with"
        bin=$(find_postgres)
        [ -n "$bin" ] || die "PostgreSQL was installed, but no initdb is to be found; set RBS_POSTGRES_BIN"
    fi
fi

case ${RBS_POSTGRES_FSYNC:-off} in
    # What a crash would lose does not matter here, and the tests are several times faster.
    off) durability="-c fsync=off -c synchronous_commit=off -c full_page_writes=off" ;;
    on) durability="-c fsync=on" ;;
    *) die "RBS_POSTGRES_FSYNC is on or off, not '$RBS_POSTGRES_FSYNC'" ;;
esac

# PGPORT, PGOPTIONS and their like would reach the server as well as the command's connections.
# shellcheck disable=SC2086 # the names are separate words
unset ${!PG@}

if [ "$(id -u)" -eq 0 ]; then
    # PostgreSQL refuses to run as root. Its packages bring the user.
    id postgres >/dev/null 2>&1 || die "PostgreSQL does not run as root, and there is no user postgres"
    command -v runuser >/dev/null || die "PostgreSQL does not run as root, and there is no runuser"
    as_postgres() { runuser -u postgres -- "$@"; }
else
    as_postgres() { "$@"; }
fi

folder=

# From / because PostgreSQL wants to be able to enter the current folder, which its user may not.
server() {
    (cd / && as_postgres "$bin/$1" -D "$folder/data" "${@:2}") </dev/null >>"$folder/log" 2>&1
}

clean_up() {
    # A second Ctrl-C must not leave half of it behind.
    trap '' INT TERM HUP
    [ -n "$folder" ] || return 0
    if [ -e "$folder/data/postmaster.pid" ]; then
        # No checkpoint: nobody will read the data again.
        # Where a signal has already stopped it, there is nothing left to fail.
        server pg_ctl stop -m immediate -w || [ ! -e "$folder/data/postmaster.pid" ] ||
            say "The PostgreSQL in $folder did not stop."
    fi
    rm -rf "$folder"
}
trap clean_up EXIT

child=
# A signal ends the command, and with it this script; before there is a command, this script alone.
pass_on() {
    if [ -n "$child" ]; then
        kill -s "$1" "$child" 2>/dev/null || true
    else
        exit "$2"
    fi
}
trap 'pass_on HUP 129' HUP
trap 'pass_on INT 130' INT
trap 'pass_on TERM 143' TERM

# Not in $TMPDIR: a socket's path has room for about a hundred bytes, and the user postgres has to be
# able to come here. The folder stays 0700; root enters it all the same.
folder=$(mktemp -d /tmp/rbs-pg.XXXXXX)
if [ "$(id -u)" -eq 0 ]; then
    chown postgres "$folder"
fi

# The locale is fixed, so that text sorts the same on every machine (and as SQLite sorts it), and
# initdb cannot fail because the machine lacks the locale that its environment names.
server initdb -U rbs --auth=trust --encoding=UTF8 --locale=C --no-sync || {
    cat "$folder/log" >&2
    die "initdb failed"
}
server pg_ctl start -w -l "$folder/server.log" \
    -o "-p 5432 -k $folder -c listen_addresses='' -c max_connections=300 $durability" || {
    cat "$folder/log" "$folder/server.log" >&2 || true
    die "PostgreSQL did not start"
}

export RBS_TEST_DATABASE_URL="postgres://rbs@localhost/postgres?host=$folder"
# For tests that stop a server of their own.
export RBS_POSTGRES_BIN=$bin

# In the background, because a trap waits for a command in the foreground: a TERM would lie there
# until the tests are through. The shell gives such a command an empty standard input and lets it
# ignore Ctrl-C, so both are put right.
(
    trap - INT QUIT
    exec "$@"
) <&0 &
child=$!

# `wait` also returns after a trap. The last one returns the command's own status.
status=0
wait "$child" || status=$?
while kill -0 "$child" 2>/dev/null; do
    status=0
    wait "$child" || status=$?
done
exit "$status"
