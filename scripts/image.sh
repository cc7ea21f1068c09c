#!/usr/bin/env bash
# Builds the container image, from base images that the Dockerfile names by digest, and tests it:
#
#     scripts/image.sh [--push] NAME
#
# The image is tagged NAME:VERSION and NAME:latest. With --push, both are pushed to the registry of NAME. Needs docker.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"
cd "$here/.."

push=
if [ "${1:-}" = --push ]; then
    push=yes
    shift
fi
[ $# -eq 1 ] || die "usage: image.sh [--push] NAME"
name=$1
version=$(crate_version)

docker build --pull --tag "$name:$version" --tag "$name:latest" \
    --label "org.opencontainers.image.version=$version" \
    --label "org.opencontainers.image.revision=$(git rev-parse HEAD)" \
    --label "org.opencontainers.image.licenses=MIT OR Apache-2.0" .
said=$(docker run --rm --network none "$name:$version" --version)
[ "$said" = "rbs $version" ] || die "the image says of itself: $said"
if [ -n "$push" ]; then
    docker push "$name:$version"
    docker push "$name:latest"
fi
