# shellcheck shell=bash
# Functions that the scripts share. This file is sourced, not run.

say() {
    printf '%s\n' "$*" >&2
}

die() {
    say "$(basename "$0"): $*"
    exit 1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        say "This needs root, and there is no sudo: $*"
        return 1
    fi
}

# apt_install PACKAGE
#
# Debian's packages start their services at once: PostgreSQL creates and starts a cluster, and nginx, pgbouncer and
# Prometheus start too. The tests need none of these, so this function prevents the starts, but only during the
# installation.
apt_install() {
    # shellcheck disable=SC2016 # the inner shell expands it
    as_root env DEBIAN_FRONTEND=noninteractive sh -eu -c '
        # Two scripts may install packages at the same time, and apt-get update does not wait for the lock.
        exec 9>/var/cache/apt/rbs-tests.lock
        flock 9
        if [ "$1" = postgresql ]; then
            folder=/etc/postgresql-common/createcluster.d
            trap "rm -f $folder/rbs-tests.conf" EXIT
            trap "exit 130" INT TERM HUP
            mkdir -p "$folder"
            echo "create_main_cluster = false" >"$folder/rbs-tests.conf"
        elif { [ "$1" = nginx ] || [ "$1" = pgbouncer ] || [ "$1" = prometheus ]; } && [ ! -e /usr/sbin/policy-rc.d ]; then
            trap "rm -f /usr/sbin/policy-rc.d" EXIT
            trap "exit 130" INT TERM HUP
            printf "#!/bin/sh\nexit 101\n" >/usr/sbin/policy-rc.d
            chmod 755 /usr/sbin/policy-rc.d
        fi

        # The package lists are fetched once an hour. If one of several repositories does not answer, the packages of
        # the others are installed all the same.
        fetched=/var/cache/apt/rbs-tests.fetched
        if [ -z "$(find "$fetched" -mmin -60 2>/dev/null)" ]; then
            if apt-get update -qq >/dev/null; then
                touch "$fetched"
            else
                echo "apt-get update failed; trying with the lists that are here" >&2
            fi
        fi
        apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$1" >/dev/null
    ' apt_install "$1"
}

# system_install postgres|cc|curl|openssl|nginx|pgbouncer|sqlite|shellcheck|yaml|promtool|python|chromium|node|npm|mmdebstrap|letters|musl|arm64-cc|arm64-libc
#
# Installs a program from the system's packages. Prints nothing to standard output, which belongs to the command that
# needs the program.
system_install() {
    local apt dnf pacman brew
    case $1 in
        postgres) apt=postgresql dnf=postgresql-server pacman=postgresql brew=postgresql@17 ;;
        cc) apt=build-essential dnf=gcc pacman=gcc brew=gcc ;;
        curl) apt=curl dnf=curl pacman=curl brew=curl ;;
        openssl) apt=openssl dnf=openssl pacman=openssl brew=openssl ;;
        nginx) apt=nginx dnf=nginx pacman=nginx brew=nginx ;;
        pgbouncer) apt=pgbouncer dnf=pgbouncer pacman=pgbouncer brew=pgbouncer ;;
        sqlite) apt=sqlite3 dnf=sqlite pacman=sqlite brew=sqlite ;;
        shellcheck) apt=shellcheck dnf=ShellCheck pacman=shellcheck brew=shellcheck ;;
        yaml) apt=python3-yaml dnf=python3-pyyaml pacman=python-yaml brew='' ;;
        promtool) apt=prometheus dnf='' pacman=prometheus brew=prometheus ;;
        python) apt=python3-venv dnf=python3 pacman=python brew=python ;;
        chromium) apt=chromium dnf=chromium pacman=chromium brew='' ;;
        node) apt=nodejs dnf=nodejs pacman=nodejs brew=node ;;
        npm) apt=npm dnf=nodejs-npm pacman=npm brew=node ;;
        mmdebstrap) apt=mmdebstrap dnf='' pacman='' brew='' ;;
        letters) apt=fonts-inter dnf=rsms-inter-fonts pacman=inter-font brew='' ;;
        musl) apt=musl-tools dnf=musl-gcc pacman=musl brew='' ;;
        arm64-cc) apt=gcc-aarch64-linux-gnu dnf='' pacman=aarch64-linux-gnu-gcc brew='' ;;
        arm64-libc) apt=libc6-dev-arm64-cross dnf='' pacman=aarch64-linux-gnu-glibc brew='' ;;
        *) die "no package is known for $1" ;;
    esac

    say "Installing $1 from the system's packages."
    if command -v apt-get >/dev/null; then
        apt_install "$apt"
    elif command -v dnf >/dev/null && [ -n "$dnf" ]; then
        as_root dnf install -y "$dnf"
    elif command -v pacman >/dev/null; then
        as_root pacman -S --needed --noconfirm "$pacman"
    elif command -v brew >/dev/null && [ -n "$brew" ]; then
        brew install "$brew"
    else
        say "No package manager here is known to have $1: please install it by hand."
        return 1
    fi </dev/null >&2
}

# need_toolchain: checks for cargo, and for `cc`, which compiles the bundled SQLite and links.
need_toolchain() {
    # A newly installed toolchain is not in PATH yet.
    if ! command -v cargo >/dev/null && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
        PATH=${CARGO_HOME:-$HOME/.cargo}/bin:$PATH
    fi
    command -v cargo >/dev/null || die "there is no cargo: please install Rust first"
    command -v cc >/dev/null || system_install cc || die "there is no C compiler"
}

# crate_version: prints the program's version from Cargo.toml. Must run in the root of the repository.
crate_version() {
    sed -n '/^version/ { s/.*"\(.*\)"/\1/p; q; }' Cargo.toml
}

# commit_time: prints the time of the last commit in unix seconds, for reproducible files. Outside a clone, prints the
# earliest time that an archive can contain.
commit_time() {
    git log -1 --format=%ct 2>/dev/null || echo 315532800
}
