#!/usr/bin/env bash
# Packs an rbs program that is already built, as an archive and as a Debian package. Part of scripts/release.sh:
#
#     scripts/package.sh PROGRAM CPU VERSION OUT [DESCRIBER]
#
# CPU is x86_64 or aarch64. DESCRIBER is an rbs program that prints the manual pages and completions if PROGRAM is built
# for another processor than this machine's. SOURCE_DATE_EPOCH is the date of all files, by default that of the last
# commit.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

[ $# -eq 4 ] || [ $# -eq 5 ] || die "usage: package.sh PROGRAM CPU VERSION OUT [DESCRIBER]"
program=$1 cpu=$2 version=$3 out=$(realpath "$4") describer=$(realpath "${5:-$1}")
case $cpu in
    x86_64) architecture=amd64 ;;
    aarch64) architecture=arm64 ;;
    *) die "there is no CPU $cpu; x86_64 and aarch64 are known" ;;
esac
: "${SOURCE_DATE_EPOCH:=$(commit_time)}"
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
# One thread, because the number of threads determines where blocks of the compressed data end.
export DPKG_DEB_THREADS_MAX=1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# file MODE SOURCE TARGET: copies a file, and creates the folders of TARGET.
file() {
    install -D -m "$1" "$2" "$3"
}

# date_all FOLDER: gives all files and folders the date of the commit.
date_all() {
    find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    find "$1" -type d -exec chmod 755 {} +
}

# installed_size FOLDER: prints the size of the files in KiB, each rounded up, plus 1 for each folder or link. The real
# size of a folder depends on the file system.
installed_size() {
    find "$1" -path "$1/DEBIAN" -prune -o -printf '%y %s\n' |
        awk '{ size += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print size }'
}

mkdir "$work/man" "$work/completions"
"$describer" man --to "$work/man"
for shell in bash zsh fish; do
    "$describer" completions "$shell" >"$work/completions/rbs.$shell"
done

# archive: makes an archive that can be unpacked anywhere.
archive() {
    local name=rbs-$version-linux-$cpu page
    local folder=$work/archive/$name
    file 755 "$program" "$folder/rbs"
    for page in "$work"/man/*.1; do
        file 644 "$page" "$folder/man/man1/$(basename "$page")"
    done
    for page in "$work"/completions/*; do
        file 644 "$page" "$folder/completions/$(basename "$page")"
    done
    for page in README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE; do
        file 644 "$page" "$folder/$page"
    done
    file 644 config/rbs.toml "$folder/config/rbs.toml"
    for page in packaging/*.service packaging/*.timer; do
        file 644 "$page" "$folder/systemd/$(basename "$page")"
    done
    date_all "$folder"
    tar --create --directory="$work/archive" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
        --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip --best --no-name >"$out/$name.tar.gz"
}

# debian: makes a package for `apt install`.
debian() {
    local root=$work/debian page script
    local doc=$root/usr/share/doc/rbs control=$root/DEBIAN
    file 755 "$program" "$root/usr/bin/rbs"
    for page in packaging/*.service packaging/*.timer; do
        file 644 "$page" "$root/usr/lib/systemd/system/$(basename "$page")"
    done
    # May contain a database password. postinst lets only root and the group read it and the secret next to it.
    file 644 packaging/rbs.toml "$root/etc/rbs/rbs.toml"
    for page in "$work"/man/*.1; do
        file 644 "$page" "$root/usr/share/man/man1/$(basename "$page")"
    done
    file 644 "$work/completions/rbs.bash" "$root/usr/share/bash-completion/completions/rbs"
    file 644 "$work/completions/rbs.zsh" "$root/usr/share/zsh/vendor-completions/_rbs"
    file 644 "$work/completions/rbs.fish" "$root/usr/share/fish/vendor_completions.d/rbs.fish"
    file 644 config/rbs.toml "$doc/examples/rbs.toml"
    file 644 config/nginx.conf "$doc/examples/nginx.conf"
    file 644 README.md "$doc/README.md"
    file 644 CHANGELOG.md "$doc/NEWS.md"
    file 644 packaging/debian/copyright "$doc/copyright"
    {
        printf 'rbs (%s) stable; urgency=medium\n\n' "$version"
        printf '  * Everything that has changed is in NEWS.md, beside this file.\n\n'
        printf ' -- %s  %s\n' "$maintainer" "$(date --rfc-email --date="@$SOURCE_DATE_EPOCH")"
    } >"$doc/changelog"
    gzip --best --no-name "$doc/changelog" "$doc/NEWS.md" "$root"/usr/share/man/man1/*.1
    chmod 644 "$doc"/*.gz "$root"/usr/share/man/man1/*.gz

    for script in preinst postinst prerm postrm; do
        file 755 "packaging/debian/$script" "$control/$script"
    done
    echo /etc/rbs/rbs.toml >"$control/conffiles"
    (cd "$root" && find . -type f -not -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum) >"$control/md5sums"
    {
        echo "Package: rbs"
        echo "Version: $version"
        echo "Architecture: $architecture"
        echo "Maintainer: $maintainer"
        echo "Installed-Size: $(installed_size "$root")"
        # The program is linked statically, so only the package's scripts have dependencies.
        echo "Depends: adduser"
        echo "Section: net"
        echo "Priority: optional"
        echo "Description: $(sed -n 's/^description = "\(.*\)"$/\1/p' Cargo.toml)"
        echo " RBS is a web service that keeps skill ratings of the players of game"
        echo " servers, Team Fortress 2 first, and splits them into even teams. It keeps"
        echo " its log in SQLite or PostgreSQL. Game servers report rounds by a plugin."
    } >"$control/control"
    chmod 644 "$control/conffiles" "$control/md5sums" "$control/control"
    date_all "$root"
    dpkg-deb --root-owner-group -Zxz --build "$root" "$out/rbs_${version}_$architecture.deb" >/dev/null
}

maintainer="The RBS developers <rbs@example.org>"
archive
debian
