#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What the action soft-roce does, for every CI and for a desk with Debian 12:
#
#   soft-roce.sh key           prints a key for a cache of ~/.cache/rdma4j and ~/.m2/repository
#   soft-roce.sh setup         installs packages, as root or with sudo, and prepares the guest's kernel
#   soft-roce.sh run SCRIPT    runs a script of bash in a guest, in this directory, where what it writes stays
#
# Environment, all of it optional: SOFT_ROCE_ON (uml or vm), SOFT_ROCE_DEVICE (rxe, siw, ib), SOFT_ROCE_PACKAGES (Debian
# packages to install as well), SOFT_ROCE_INSTALL (modules of rdma4j to install into ~/.m2) and SOFT_ROCE_OPTIONS (of
# "rdma4j testbed run").
set -euo pipefail

self=$(readlink -f "${BASH_SOURCE[0]}")
root=${self%/.github/*}
on=${SOFT_ROCE_ON:-uml}
device=${SOFT_ROCE_DEVICE:-rxe}

as_root() {
    if ((EUID == 0)); then
        "$@"
    else
        sudo "$@"
    fi
}

# Of the files and not of the commit: the runner unpacks an action without its history.
key() {
    cd "$root"
    find rdma4j pom.xml bom uverbs-ioctl cm-protocol rxe-testbed \( -name target -o -name test \) -prune -o -type f -print0 \
        | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-16
}

setup() {
    local -a packages
    read -ra packages <<< "${SOFT_ROCE_PACKAGES:-}" || true
    # The kernel of User Mode Linux, and the modules of soft-iWARP and InfiniBand, are compiled.
    [[ $on == vm && $device == rxe ]] || packages+=(gcc libc6-dev make patch)
    # OpenSM, which is unpacked, needs a library of these programs.
    [[ $device != ib ]] || packages+=(infiniband-diags)
    # Installs a JDK and Maven as well, if there are none.
    as_root "$root/rdma4j" install testbed
    if ((${#packages[@]} > 0)); then
        as_root apt-get -q update
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${packages[@]}"
    fi
    "$root/rdma4j" testbed setup --on "$on" --device "$device"
    if [[ -n ${SOFT_ROCE_INSTALL:-} ]]; then
        mvn -B -q -f "$root/pom.xml" -DskipTests -Dmaven.test.skip -pl "bom,$SOFT_ROCE_INSTALL" -am install
    fi
}

run() {
    local -a options
    read -ra options <<< "${SOFT_ROCE_OPTIONS:-}" || true
    exec "$root/rdma4j" testbed run --on "$on" --device "$device" --share "$PWD" ${options[@]+"${options[@]}"} -- bash -ec "$1" < /dev/null
}

case ${1:-} in
    key) key ;;
    setup) setup ;;
    run)
        [[ -n ${2:-} ]] || {
            echo "soft-roce: run takes a script" >&2
            exit 2
        }
        run "$2"
        ;;
    *)
        sed -n '3,12s/^# \{0,1\}//p' "$self" >&2
        exit 2
        ;;
esac
