#!/usr/bin/env bash
# Makes everything that a release has, from the commit that is checked out:
#
#     scripts/release.sh [--twice] [--native] [OUT]
#
# OUT, target/packages without it, has then, for each processor that can be built for,
#
#     rbs-VERSION-linux-CPU.tar.gz    the program, which needs nothing of the system, with manual pages, completions
#                                     and the files of packaging
#     rbs_VERSION_ARCH.deb            the same as a package with a service of systemd
#     rbs-VERSION-linux-CPU.debug     the program's names and lines, for a debugger or a backtrace
#
# and beside them rbs-plugin-VERSION.zip for game servers, rbs-VERSION.cdx.json with the components (CycloneDX), and
# SHA256SUMS. The same commit makes the same bytes in every folder with the same compiler and tools; what is packed is
# packed twice and compared, and with --twice the programs too are built once more, from a clone elsewhere.
#
# The processors are x86_64, which takes a machine with one, and aarch64; with --native it is this machine's alone. What
# Rust needs to build for them is fetched by rustup, and compilers for C come from the system's packages. Where x86_64
# cannot be built for musl, it is built for glibc, linked statically too. What is left out is said, and why.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

# A program that is larger has something in it that does not belong there.
MOST_BYTES=26000000

twice=
native=
while true; do
    case ${1:-} in
        --twice) twice=--twice ;;
        --native) native=--native ;;
        *) break ;;
    esac
    shift
done
[ $# -le 1 ] || die "usage: release.sh [--twice] [--native] [OUT]"
target_dir=$(realpath -m "${CARGO_TARGET_DIR:-target}")
out=$(realpath -m "${1:-$target_dir/packages}")

need_toolchain
for program in git objcopy readelf dpkg-deb python3; do
    command -v "$program" >/dev/null || die "there is no $program; please install it"
done
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
# What the diagnostics name.
RBS_COMMIT=$(git describe --always --dirty --abbrev=12 --exclude='*')
export SOURCE_DATE_EPOCH RBS_COMMIT LC_ALL=C TZ=UTC
[ -z "$(git status --porcelain)" ] ||
    say "This is no release: what was changed since the last commit is in it, and is dated as that commit."
version=$(crate_version)
tag=$(git tag --points-at HEAD --list 'v*')
[ -z "$tag" ] || [ "$tag" = "v$version" ] || die "the commit has the tag $tag, and Cargo.toml the version $version"

has_target() {
    [ -d "$(rustc --print target-libdir --target "$1")" ]
}

# find_target TARGET: whether Rust builds for it, once it is fetched where that is possible.
find_target() {
    has_target "$1" && return
    command -v rustup >/dev/null || return
    say "Fetching what Rust needs to build for $1."
    timeout 120 rustup --quiet target add "$1" >&2 && has_target "$1"
}

# find_compiler NAME PACKAGE: whether there is that compiler for C, once it is installed where that is possible.
find_compiler() {
    command -v "$1" >/dev/null || { system_install "$2" && command -v "$1" >/dev/null; }
}

has_arm64_libc() {
    # The compiler prints the bare name of a file that it does not find.
    [ -e "$(aarch64-linux-gnu-gcc -print-file-name=libc.a)" ]
}

targets=()
machine=$(uname -m)
if [ "$machine" != x86_64 ]; then
    say "x86_64: left out, because this machine's processor is $machine."
elif find_target x86_64-unknown-linux-musl && find_compiler musl-gcc musl; then
    targets+=(x86_64-unknown-linux-musl)
elif has_target x86_64-unknown-linux-gnu; then
    say "x86_64: for glibc, linked statically, because Rust's x86_64-unknown-linux-musl or musl-gcc cannot be had."
    targets+=(x86_64-unknown-linux-gnu)
else
    say "x86_64: left out, because Rust's x86_64-unknown-linux-gnu is not installed."
fi
if [ -z "$native" ] || [ "$machine" = aarch64 ]; then
    if ! find_target aarch64-unknown-linux-gnu; then
        say "aarch64: left out, because Rust's aarch64-unknown-linux-gnu cannot be had."
    elif ! find_compiler aarch64-linux-gnu-gcc arm64-cc ||
        ! { has_arm64_libc || { system_install arm64-libc && has_arm64_libc; }; }; then
        say "aarch64: left out, because its compiler for C, aarch64-linux-gnu-gcc, or its C library cannot be had."
    else
        targets+=(aarch64-unknown-linux-gnu)
    fi
fi
[ ${#targets[@]} -gt 0 ] || die "there is no target to build for"

# build TARGET FOLDER: the program as cargo leaves it is FOLDER/TARGET/packaged/rbs afterwards.
build() {
    local target=$1 folder=$2 name=${1//-/_} cargo_home=${CARGO_HOME:-$HOME/.cargo}
    local -a moved=("$cargo_home=/usr/src/cargo" "$PWD=/usr/src/rbs" "$folder=/usr/src/rbs/target")
    # Where this folder is must not be in the program. Names and values are separated by what no path has in it.
    local rust="-Ctarget-feature=+crt-static" c="" one
    # Less is made part of its callers than the compiler would by itself, which keeps the program small.
    rust+=$'\x1f'"-Cllvm-args=-inline-threshold=40"
    for one in "${moved[@]}"; do
        rust+=$'\x1f'"--remap-path-prefix=$one"
        c+=" -ffile-prefix-map=$one"
    done
    local -a environment=("CARGO_ENCODED_RUSTFLAGS=$rust" "CFLAGS_$name=$c" "CARGO_TARGET_DIR=$folder")
    case $target in
        *-musl) environment+=("CC_$name=musl-gcc") ;;
        aarch64-*)
            environment+=("CC_$name=aarch64-linux-gnu-gcc" "CARGO_TARGET_${name^^}_LINKER=aarch64-linux-gnu-gcc")
            ;;
    esac
    # Functions that turn out alike are kept once, and addresses to adjust at the start are listed briefly: a twentieth less.
    # That takes Rust's own linker, which it uses for this target alone.
    local -a link=()
    if [ "$target" = x86_64-unknown-linux-gnu ]; then
        link=("-Clink-arg=-Wl,-O2,--icf=all" "-Clink-arg=-Wl,--pack-dyn-relocs=relr")
    fi
    env "${environment[@]}" cargo rustc --locked --profile packaged --bin rbs --target "$target" -- "${link[@]}" >&2
}

# take_apart TARGET BUILT FOLDER: the program alone, FOLDER/rbs, and what a debugger wants of it beside it.
take_apart() {
    local target=$1 built=$2 folder=$3 tool=objcopy
    local debug=rbs-$version-linux-${target%%-*}.debug
    [ "${target%%-*}" = "$(uname -m)" ] || tool=${target%%-*}-linux-gnu-objcopy
    "$tool" --only-keep-debug --compress-debug-sections=zlib "$built" "$folder/$debug"
    "$tool" --strip-all "$built" "$folder/rbs"
    chmod 644 "$folder/$debug"
    (cd "$folder" && "$tool" --add-gnu-debuglink="$debug" rbs)
}

# pack WHERE: everything but the sums, into the new folder WHERE. The pages and completions are those of the first
# program, which this machine can run.
pack() {
    local target apart
    mkdir "$1"
    for target in "${targets[@]}"; do
        apart=$work/$target
        cp "$apart/rbs-$version-linux-${target%%-*}.debug" "$1/"
        "$here/package.sh" "$apart/rbs" "${target%%-*}" "$version" "$1" "$work/${targets[0]}/rbs"
    done
    "$here/plugin.sh"
    cp "$target_dir/plugin/rbs-plugin.zip" "$1/rbs-plugin-$version.zip"
    python3 scripts/components.py "${targets[@]}" >"$1/rbs-$version.cdx.json"
    (cd "$1" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for target in "${targets[@]}"; do
    began=$SECONDS
    build "$target" "$target_dir"
    mkdir "$work/$target"
    take_apart "$target" "$target_dir/$target/packaged/rbs" "$work/$target"
    program=$work/$target/rbs
    size=$(stat -c %s "$program")
    [ "$size" -le "$MOST_BYTES" ] || die "the program for $target has $size bytes; it may have $MOST_BYTES"
    headers=$(readelf --program-headers "$program")
    ! grep -q INTERP <<<"$headers" || die "the program for $target is not linked statically"
    say "$target: $size bytes, built in $((SECONDS - began)) s."
done

pack "$work/packages"
pack "$work/again"
cmp "$work/packages/SHA256SUMS" "$work/again/SHA256SUMS" || die "what was packed twice differs"
if [ -n "$twice" ]; then
    git clone --quiet "$PWD" "$work/clone"
    env -u CARGO_TARGET_DIR "$work/clone/scripts/release.sh" ${native:+"$native"} "$work/elsewhere"
    cmp "$work/packages/SHA256SUMS" "$work/elsewhere/SHA256SUMS" || {
        diff "$work/packages/SHA256SUMS" "$work/elsewhere/SHA256SUMS" >&2 || true
        die "what was built twice differs"
    }
    say "Built twice, in two folders: the same bytes."
fi
rm -rf "$out"
mkdir -p "$(dirname "$out")"
mv "$work/packages" "$out"
(cd "$out" && ls -l >&2)
