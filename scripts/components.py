#!/usr/bin/env python3
"""Prints what a released program consists of, as a list of components in CycloneDX 1.6.

    scripts/components.py TARGET...

TARGET is a target of Rust, such as x86_64-unknown-linux-gnu; the list has what any of them needs. Dependencies of tests
and of the build alone are not in the program and not in the list. The same commit prints the same bytes.
"""

import datetime
import json
import os
import re
import subprocess
import sys
import tomllib
import uuid

# C libraries whose source is part of a crate: crate, library, file in the crate and pattern of the version, licence.
BUNDLED = {
    "libsqlite3-sys": ("sqlite", "sqlite3/sqlite3.h", r'#define SQLITE_VERSION\s+"([\d.]+)"', "blessing"),
    # Version as digits: major, and two digits each of minor and patch.
    "libmimalloc-sys": (
        "mimalloc",
        "c_src/mimalloc/v2/include/mimalloc.h",
        r"#define MI_MALLOC_VERSION (\d)(\d\d)(\d\d)\b",
        "MIT",
    ),
}


def metadata(target):
    """What cargo knows of this program for `target`: packages by their ids, and the edges of the resolved graph."""
    command = ["cargo", "metadata", "--locked", "--format-version=1", f"--filter-platform={target}"]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in found["packages"]}
    edges = {
        node["id"]: [
            edge["pkg"] for edge in node["deps"] if any(kind["kind"] is None for kind in edge["dep_kinds"])
        ]
        for node in found["resolve"]["nodes"]
    }
    return packages, edges, found["resolve"]["root"]


def is_macro(package):
    """Whether the compiler alone runs the package, so that nothing of it is in the program."""
    return any("proc-macro" in target["kind"] for target in package["targets"])


def reference(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def licence(package):
    # Older crates write a slash instead of OR.
    return [{"expression": package["license"].replace("/", " OR ")}] if package["license"] else []


def bundled(package):
    """The library of C that a crate brings along, as a component; None where there is none."""
    if package["name"] not in BUNDLED:
        return None
    name, header, pattern, licence_id = BUNDLED[package["name"]]
    with open(os.path.join(os.path.dirname(package["manifest_path"]), header), encoding="utf-8") as file:
        numbers = re.search(pattern, file.read()).groups()
    version = numbers[0] if len(numbers) == 1 else ".".join(str(int(number)) for number in numbers)
    return c_library(name, version, licence_id)


def c_libraries(targets):
    """The C libraries that the programs are linked with."""
    if any(target.endswith("-gnu") for target in targets):
        said = subprocess.run(["ldd", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
        yield c_library("glibc", said.splitlines()[0].split()[-1], "LGPL-2.1-or-later")
    for target in targets:
        if target.endswith("-musl"):
            command = ["rustc", "--print", "target-libdir", "--target", target]
            folder = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
            # Rust includes musl, with its version in the member version.lo of libc.a.
            command = ["ar", "p", os.path.join(folder, "self-contained", "libc.a"), "version.lo"]
            version = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
            yield c_library("musl", re.search(rb"\0(\d+\.\d+\.\d+)\0", version).group(1).decode(), "MIT")


def c_library(name, version, licence_id):
    """A library of C, as a component."""
    purl = f"pkg:generic/{name}@{version}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "licenses": [{"license": {"id": licence_id}}],
        "purl": purl,
    }


def main(targets):
    with open("Cargo.lock", "rb") as file:
        locked = tomllib.load(file)["package"]
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in locked}
    components, needs, program = {}, {}, None
    for target in targets:
        packages, edges, root = metadata(target)
        program = packages[root]
        seen, waiting = {root}, [root]
        while waiting:
            here = waiting.pop()
            package = packages[here]
            there = [edge for edge in edges[here] if not is_macro(packages[edge])]
            needs.setdefault(reference(package), set()).update(reference(packages[edge]) for edge in there)
            waiting += [edge for edge in there if edge not in seen]
            seen.update(there)
            if here == root:
                continue
            component = {
                "type": "library",
                "bom-ref": reference(package),
                "name": package["name"],
                "version": package["version"],
                "licenses": licence(package),
                "purl": reference(package),
            }
            checksum = checksums[package["name"], package["version"]]
            if checksum:
                component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
            components[reference(package)] = component
            library = bundled(package)
            if library:
                components[library["bom-ref"]] = library
                needs[reference(package)].add(library["bom-ref"])
    for library in c_libraries(targets):
        components[library["bom-ref"]] = library
        needs[reference(program)].add(library["bom-ref"])
    ordered = [components[key] for key in sorted(components)]
    # Serial number of this list. Equal lists have equal numbers.
    name = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([reference(program), ordered]))
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{name}",
        "version": 1,
        "metadata": {
            "timestamp": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": reference(program),
                "name": program["name"],
                "version": program["version"],
                "licenses": licence(program),
                "purl": reference(program),
            },
        },
        "components": ordered,
        "dependencies": [{"ref": ref, "dependsOn": sorted(needs[ref])} for ref in sorted(needs)],
    }
    json.dump(bill, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    if len(sys.argv) < 2 or "SOURCE_DATE_EPOCH" not in os.environ:
        sys.exit("usage: SOURCE_DATE_EPOCH=SECONDS components.py TARGET...")
    main(sys.argv[1:])
