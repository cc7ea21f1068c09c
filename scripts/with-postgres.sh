#!/usr/bin/env bash
# Runs a command with a temporary PostgreSQL server:
#
#     scripts/with-postgres.sh cargo bench --locked
#
# The command finds the server in RBS_TEST_DATABASE_URL, as a superuser. The server listens on a socket in its own
# temporary folder and on no port, so any number of servers can run at the same time, also next to the machine's own.
#
# RBS_POSTGRES_BIN    the folder of initdb and pg_ctl, if the script does not find it
# RBS_POSTGRES_FSYNC  on: commits reach the disk, for measurements; off (the default): they may be lost in a crash

# Calls by a trap are invisible to shellcheck.
# shellcheck disable=SC2317,SC2329
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"

[ $# -gt 0 ] || die "usage: with-postgres.sh COMMAND [ARGUMENT…]"

has_server() {
    [ -x "$1/initdb" ] && [ -x "$1/pg_ctl" ]
}

# Prints the folder of initdb and pg_ctl, or nothing. Debian and others install them outside of PATH, in one folder per
# version; the newest is used.
find_postgres() {
    local initdb folder
    # If initdb is a symbolic link, the other programs are next to its target.
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
    # The data need not survive a crash, and the tests are several times faster.
    off) durability="-c fsync=off -c synchronous_commit=off -c full_page_writes=off" ;;
    on) durability="-c fsync=on" ;;
    *) die "RBS_POSTGRES_FSYNC is on or off, not '$RBS_POSTGRES_FSYNC'" ;;
esac

# Variables such as PGPORT and PGOPTIONS would affect the server and the connections of the command.
# shellcheck disable=SC2086 # the names are separate words
unset ${!PG@}

if [ "$(id -u)" -eq 0 ]; then
    # PostgreSQL refuses to run as root. Its packages create the user postgres.
    id postgres >/dev/null 2>&1 || die "PostgreSQL does not run as root, and there is no user postgres"
    command -v runuser >/dev/null || die "PostgreSQL does not run as root, and there is no runuser"
    as_postgres() { runuser -u postgres -- "$@"; }
else
    as_postgres() { "$@"; }
fi

folder=

# Runs in /, because PostgreSQL enters the current folder, which its user may not be allowed to do.
server() {
    (cd / && as_postgres "$bin/$1" -D "$folder/data" "${@:2}") </dev/null >>"$folder/log" 2>&1
}

clean_up() {
    # Ignores a second Ctrl-C, which would leave the cleanup unfinished.
    trap '' INT TERM HUP
    [ -n "$folder" ] || return 0
    if [ -e "$folder/data/postmaster.pid" ]; then
        # Stops without a checkpoint, because the data is deleted. If a signal has already stopped the server, pg_ctl
        # fails, which is no error.
        server pg_ctl stop -m immediate -w || [ ! -e "$folder/data/postmaster.pid" ] ||
            say "The PostgreSQL in $folder did not stop."
    fi
    rm -rf "$folder"
}
trap clean_up EXIT

child=
# Passes a signal on to the command, whose end also ends this script. Before the command has started, ends this script.
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

# Not in $TMPDIR: a socket's path may have only about a hundred bytes, and the user postgres needs access. The folder
# has mode 0700; root can enter it nevertheless.
folder=$(mktemp -d /tmp/rbs-pg.XXXXXX)
if [ "$(id -u)" -eq 0 ]; then
    chown postgres "$folder"
fi

# The locale is fixed, so that text sorts the same on every machine (and as in SQLite), and initdb cannot fail because
# of a missing locale that the environment names.
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
# Some tests start and stop a server with these programs.
export RBS_POSTGRES_BIN=$bin

# In the background, because bash runs a trap only after a command in the foreground has ended. Bash gives a command in
# the background an empty standard input and lets it ignore Ctrl-C, so both are restored.
(
    trap - INT QUIT
    exec "$@"
) <&0 &
child=$!

# `wait` also returns after a trap. The last `wait` returns the command's own status.
status=0
wait "$child" || status=$?
while kill -0 "$child" 2>/dev/null; do
    status=0
    wait "$child" || status=$?
done
exit "$status"
