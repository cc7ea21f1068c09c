#!/usr/bin/env bash
# Tests the Debian package in a clean system: a minimal copy of this machine's release of Debian or Ubuntu, in a folder,
# booted by its own systemd in its own namespaces, without a network. The test installs the package of the previous
# version and counts a round. Then it upgrades the package with a database of the oldest schema, checks that a downgrade
# is refused, removes the package, installs it again, and purges it:
#
#     scripts/clean-root.sh [PACKAGES]
#
# PACKAGES is the output folder of scripts/release.sh, by default target/packages. RBS_PACKAGE_BEFORE names the package
# of the previous version. By default, it is the same program packed with a lower version, so only the database is
# older. The system is cached in target/clean-root.
#
# Needs root, because it creates namespaces. mmdebstrap and sqlite3 are installed if they are missing.

# Texts in single quotes are expanded by a shell or program inside the system.
# shellcheck disable=SC2016
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

SUITE=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# Packages of the minimal system: dependencies of the package, an init system, and an HTTP client.
INSIDE=adduser,systemd,systemd-sysv,curl

target_dir=$(realpath -m "${CARGO_TARGET_DIR:-target}")
packages=$(realpath "${1:-$target_dir/packages}")
[ "$(id -u)" -eq 0 ] || die "only root can boot a system in a folder"
[ "$(uname -m)" = x86_64 ] || die "the package of this machine's processor is not tried yet, only that of x86_64"
new=$(echo "$packages"/rbs_*_amd64.deb)
[ -e "$new" ] || die "there is no package in $packages; make it with scripts/release.sh"
[ -n "$SUITE" ] || die "/etc/os-release does not say which release of Debian or Ubuntu this is"
command -v mmdebstrap >/dev/null || system_install mmdebstrap || die "there is no mmdebstrap"
command -v sqlite3 >/dev/null || system_install sqlite || die "there is no sqlite3"
version=$(dpkg-deb --field "$new" Version)

work=$(mktemp -d)
system=
# Prints the process id of the system's first process.
init() {
    local children
    children=$(cat "/proc/$system/task/$system/children")
    echo "${children%% *}"
}
clean_up() {
    # Prints the console output of the system if the test failed.
    [ $? -eq 0 ] || cat "$work/console" >&2 2>/dev/null || true
    # Killing the first process ends all others of its namespace, and then unshare.
    if [ -n "$system" ]; then
        kill -KILL "$(init)" 2>/dev/null || true
        wait "$system" 2>/dev/null || true
    fi
    # All mounts below the folder were made in a namespace that no longer exists.
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP

before=${RBS_PACKAGE_BEFORE:-}
if [ -z "$before" ]; then
    tar --extract --directory="$work" --file="$packages/rbs-$version-linux-x86_64.tar.gz" --strip-components=1 \
        "rbs-$version-linux-x86_64/rbs"
    "$here/package.sh" "$work/rbs" x86_64 "$version~before" "$work"
    before=$(echo "$work"/rbs_*_amd64.deb)
fi

kept=$target_dir/clean-root/$SUITE-${INSIDE//,/-}.tar
if [ ! -e "$kept" ]; then
    say "Making a minimal system."
    mkdir -p "$(dirname "$kept")"
    mmdebstrap --quiet --variant=minbase --include="$INSIDE" "$SUITE" "$kept.new.tar"
    mv "$kept.new.tar" "$kept"
fi
root=$work/root
mkdir "$root"
# Device nodes are left out, because those of this machine are mounted instead.
tar --extract --directory="$root" --file="$kept" --exclude='./dev/*'
cp "$before" "$root/root/before.deb"
cp "$new" "$root/root/new.deb"
sqlite3 "$root/root/oldest.db" <"$(find tests/schemas -name '*-sqlite.sql' | sort -V | head -n 1)"
echo "127.0.0.1 database.test" >>"$root/etc/hosts"
# The system has no terminal to log in at.
ln -s /dev/null "$root/etc/systemd/system/console-getty.service"

unshare --mount --uts --ipc --net --pid --cgroup --fork --kill-child --propagation private sh -eu -c '
    mount --bind "$1" "$1"
    cd "$1"
    mount -t proc proc proc
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    mount -t tmpfs tmpfs run
    mount -t tmpfs tmpfs tmp
    mount -t tmpfs -o mode=755 tmpfs dev
    for device in null zero full random urandom tty; do
        touch "dev/$device"
        mount --bind "/dev/$device" "dev/$device"
    done
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
    # Uses pivot_root instead of chroot: in a chroot, the kernel refuses the user namespace that the unit requires.
    pivot_root . .
    umount --lazy .
    cd /
    exec env -i container=clean-root PATH=/usr/sbin:/usr/bin /lib/systemd/systemd
' boot "$root" </dev/null >"$work/console" 2>&1 &
system=$!

# inside COMMAND [ARGUMENT…]: runs the command in the system.
inside() {
    nsenter --target "$(init)" --mount --uts --ipc --net --pid --cgroup --root --wd -- \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@" </dev/null
}

# fail MESSAGE: prints the log of the service in the system, and fails.
fail() {
    say "$(inside journalctl --unit rbs --unit rbs-backup --no-pager --lines 50 2>&1 || true)"
    die "$*"
}

step() {
    say "--- $*"
}

# eventually COMMAND [ARGUMENT…]: repeats the command until it succeeds, for at most half a minute.
eventually() {
    local end=$((SECONDS + 30))
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || fail "did not come true in half a minute: $*"
        sleep 0.2
    done
}

# ask PATH [ARGUMENT…]: sends a request with curl, with the address and the secret that the package has configured.
ask() {
    local path=$1
    shift
    inside sh -c 'path=$1; shift; curl --silent --show-error --fail-with-body \
        --header "Authorization: Bearer $(cat /etc/rbs/rbs.secret)" \
        --header "Content-Type: application/json" "$@" "http://127.0.0.1:8080$path"' ask "$path" "$@"
}

# count ROUND: reports a round between the only two players, which team_a wins.
count() {
    ask /v1/update --data '{"round_id": "'"$1"'", "server": "clean-root", "winner": "a",
        "team_a": ["76561197960265729"], "team_b": ["76561197960265730"]}'
}

# rounds: prints the number of rated rounds of the player of team_a.
rounds() {
    ask /v1/players/76561197960265729 | sed 's/.*"rounds": *\([0-9]*\).*/\1/'
}

is() {
    [ "$2" = "$3" ] || fail "$1 is \"$2\", not \"$3\""
}

# as_rbs COMMAND [ARGUMENT…]: runs the command as the user rbs, in an unrelated folder, with an empty environment.
as_rbs() {
    inside setpriv --reuid rbs --regid rbs --init-groups "$@"
}

booted() {
    local state
    # The command exits with 1 if any unit has failed, which does not matter here.
    state=$(inside systemctl is-system-running) || true
    case $state in running | degraded) ;; *) return 1 ;; esac
}
eventually booted
is "what of the network is there" "$(inside sh -c 'ls /sys/class/net')" lo

step "Install the version before, $(dpkg-deb --field "$before" Version)"
inside dpkg --install /root/before.deb
eventually inside rbs health
is "the service's user" "$(inside stat -c %U "/proc/$(inside systemctl show --property MainPID --value rbs)")" rbs
is "the secret's owner and mode" "$(inside stat -c '%U:%G %a' /etc/rbs/rbs.secret)" "root:rbs 640"
is "the settings' owner and mode" "$(inside stat -c '%U:%G %a' /etc/rbs/rbs.toml)" "root:rbs 640"
is "the data's owner and mode" "$(inside stat -c '%U:%G %a' /var/lib/rbs)" "rbs:rbs 750"
secret=$(inside cat /etc/rbs/rbs.secret)
is "the secret's length" "${#secret}" 64
said=$(inside setpriv --reuid nobody --regid nogroup --clear-groups rbs config 2>&1) &&
    fail "everybody can read the settings: $said"
grep -q "/etc/rbs/rbs.toml cannot be read: .*; run this as" <<<"$said" || fail "it does not say what to do: $said"
count first >/dev/null
is "the rounds counted" "$(rounds)" 1

step "Upgrade to $version, over a database of the oldest schema"
inside systemctl stop rbs
inside rm -f /var/lib/rbs/rbs.db /var/lib/rbs/rbs.db-wal /var/lib/rbs/rbs.db-shm
inside install -o rbs -g rbs -m 640 /root/oldest.db /var/lib/rbs/rbs.db
inside sh -c 'echo "# Changed by the administrator." >>/etc/rbs/rbs.toml'
inside dpkg --install /root/new.deb
eventually inside rbs health
count second >/dev/null
as_rbs rbs check
is "the secret after the upgrade" "$(inside cat /etc/rbs/rbs.secret)" "$secret"
is "the last line of the settings" "$(inside tail -n 1 /etc/rbs/rbs.toml)" "# Changed by the administrator."
counted=$(rounds)

step "The backup of every night"
is "the timer" "$(inside systemctl is-active rbs-backup.timer)" active
inside systemctl start rbs-backup.service || fail "no backup was made"
backup=$(inside find /var/lib/rbs/backups -type f -size +0)
is "how many backups there are" "$(wc -l <<<"$backup")" 1
as_rbs rbs restore --dry-run "$backup"

step "A database server is found by its name"
said=$(as_rbs env DATABASE_URL=postgres://rbs@database.test/rbs rbs check 2>&1) &&
    fail "there is no PostgreSQL, and yet: $said"
grep -qi refused <<<"$said" || fail "database.test was not asked: $said"

step "Refuse to downgrade"
said=$(inside dpkg --install /root/before.deb 2>&1) && fail "the downgrade was not refused: $said"
grep -q "rbs: $(dpkg-deb --field "$before" Version) is older than $version" <<<"$said" ||
    fail "it was refused without a sentence: $said"
inside rbs health
is "the installed version" "$(inside dpkg-query --show --showformat '${Version} ${db:Status-Status}' rbs)" "$version installed"

step "Remove: what it keeps stays"
inside dpkg --remove rbs
inside systemctl is-active rbs && fail "the service is still there"
inside test -s /var/lib/rbs/rbs.db || fail "the database is gone"
inside test -s /etc/rbs/rbs.secret || fail "the secret is gone"

step "Install again: it goes on"
inside dpkg --install /root/new.deb
eventually inside rbs health
is "the rounds counted before" "$(rounds)" "$counted"

step "Purge: nothing stays"
inside dpkg --purge rbs
for path in /var/lib/rbs /etc/rbs /usr/bin/rbs; do
    inside test ! -e "$path" || fail "$path is left"
done
inside getent passwd rbs && fail "the user is left"
is "units left" "$(inside sh -c 'find /etc/systemd /usr/lib/systemd /var/lib/systemd -name "*rbs*"')" ""
say "The package was installed, upgraded, kept from a downgrade, removed and purged, and left nothing."
