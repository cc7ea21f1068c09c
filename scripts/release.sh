#!/usr/bin/env bash
# Builds all files of a release, from the commit that is checked out:
#
#     scripts/release.sh [--twice] [--native] [OUT]
#
# For each processor that can be built for, OUT (default: target/packages) then contains
#
#     rbs-VERSION-linux-CPU.tar.gz    the program, linked statically, with manual pages, completions and the files of
#                                     packaging
#     rbs_VERSION_ARCH.deb            the same as a Debian package with a systemd service
#     rbs-VERSION-linux-CPU.debug     debug information of the program, for a debugger or a backtrace
#
# and also rbs-plugin-VERSION.zip for game servers, rbs-VERSION.cdx.json with the components (CycloneDX), and
# SHA256SUMS. The build is reproducible: the same commit, compiler and tools give the same bytes in every folder.
# Everything is packed twice and compared; with --twice, the programs are also built a second time, from another clone.
#
# The processors are x86_64, which needs an x86_64 machine, and aarch64; with --native, only this machine's processor.
# rustup fetches the Rust targets, and C compilers are installed from the system's packages. If x86_64 cannot be built
# for musl, it is built for glibc, also linked statically. The script prints which files it leaves out, and why.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

# Maximum size of the program in bytes. A larger program contains something by mistake.
MOST_BYTES=28000000

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
# The commit that `rbs settings --diagnostics` prints.
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

# find_target TARGET: succeeds if Rust can build for the target. Fetches the target with rustup if possible.
find_target() {
    has_target "$1" && return
    command -v rustup >/dev/null || return
    say "Fetching what Rust needs to build for $1."
    timeout 120 rustup --quiet target add "$1" >&2 && has_target "$1"
}

# find_compiler NAME PACKAGE: succeeds if the C compiler is installed. Installs it if possible.
find_compiler() {
    command -v "$1" >/dev/null || { system_install "$2" && command -v "$1" >/dev/null; }
}

has_arm64_libc() {
    # If the compiler does not find a file, it prints the bare name.
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

# build TARGET FOLDER: builds the program FOLDER/TARGET/packaged/rbs, with debug information.
build() {
    local target=$1 folder=$2 name=${1//-/_} cargo_home=${CARGO_HOME:-$HOME/.cargo}
    local -a moved=("$cargo_home=/usr/src/cargo" "$PWD=/usr/src/rbs" "$folder=/usr/src/rbs/target")
    # The program must not contain the path of this folder. Flags are separated by a character that no path contains.
    local rust="-Ctarget-feature=+crt-static" c="" one
    # A lower inline threshold than the compiler's default makes the program smaller.
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
    # Merging identical functions and compact relocations make the program 5 % smaller. Only Rust's own linker can do
    # that, which Rust uses for this target alone.
    local -a link=()
    if [ "$target" = x86_64-unknown-linux-gnu ]; then
        link=("-Clink-arg=-Wl,-O2,--icf=all" "-Clink-arg=-Wl,--pack-dyn-relocs=relr")
    fi
    env "${environment[@]}" cargo rustc --locked --profile packaged --bin rbs --target "$target" -- "${link[@]}" >&2
}

# take_apart TARGET BUILT FOLDER: splits the program into FOLDER/rbs and its debug information.
take_apart() {
    local target=$1 built=$2 folder=$3 tool=objcopy
    local debug=rbs-$version-linux-${target%%-*}.debug
    [ "${target%%-*}" = "$(uname -m)" ] || tool=${target%%-*}-linux-gnu-objcopy
    "$tool" --only-keep-debug --compress-debug-sections=zlib "$built" "$folder/$debug"
    "$tool" --strip-all "$built" "$folder/rbs"
    chmod 644 "$folder/$debug"
    (cd "$folder" && "$tool" --add-gnu-debuglink="$debug" rbs)
}

# pack WHERE: packs everything into the new folder WHERE, with checksums. Manual pages and completions come from the
# first program, which this machine can run.
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
