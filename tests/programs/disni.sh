#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# DiSNI's and DaRPC's own programs, and jNVMf, on rdma4j and on libdisni. Nothing of theirs is part of rdma4j: the sources are fetched, or
# taken from folders. docs/guide/disni.md has the commands.
set -euo pipefail

readonly DISNI=92b5233 DARPC=2ae9198 CLI=1.4 JNVMF=1.6 JSPECIFY=1.0.1
readonly ADDRESS=10.77.0.1
LIMIT=${LIMIT:-60}

self=$(readlink -f "${BASH_SOURCE[0]}")
root=${self%/tests/programs/*}
libraries=$root/tests/bench/target/lib

usage() {
    cat >&2 << END
usage: tests/programs/disni.sh build DIR [--disni FOLDER] [--darpc FOLDER]
           builds DIR/libdisni.so and the programs, from DiSNI at $DISNI and DaRPC at $DARPC of github.com/zrlio, or
           from folders with their sources; needs g++, libibverbs-dev, librdmacm-dev, and rdma4j built (./rdma4j bench cost)
in a guest (./rdma4j testbed run -- tests/programs/disni.sh ...), with SERVER and CLIENT libdisni or rdma4j:
       tests/programs/disni.sh pair DIR SERVER CLIENT PROGRAM [ARGUMENT...]
           PROGRAM is a class of DiSNI's without Server or Client, such as benchmarks.SendRecv, or DaRPC
       tests/programs/disni.sh compare DIR [TURNS [WORD]]
           latency of DiSNI's benchmarks and DaRPC's calls a second, on both libraries in turns (3); WORD chooses the
           programs that have it in their command, such as benchmarks, DaRPC, or take
       tests/programs/disni.sh calls DIR
           compares what DiSNI's calls do on libdisni with what tests/sockets/src/test/resources/disni/calls.txt says
       tests/programs/disni.sh nvme DIR [TURNS]
           writes and reads the kernel's NVMe target with jNVMf, on both libraries in turns (3); needs --kernel 6.1
END
    exit 2
}

# ---- build ----------------------------------------------------------------------------------------------------------

# sources NAME COMMIT FOLDER: the folder, or what GitHub has at the commit.
sources() {
    local to=$directory/$1
    [[ -z $3 ]] || { readlink -f "$3" && return; }
    if [[ ! -d $to ]]; then
        git clone -q "https://github.com/zrlio/$1" "$to.part" >&2
        git -C "$to.part" checkout -q "$2" >&2
        mv "$to.part" "$to"
    fi
    echo "$to"
}

build() {
    local disni='' darpc='' java_home library
    local own=$root/tests/sockets/src/test/java
    while (($#)); do
        case $1 in
            --disni) disni=${2:?a folder} ;;
            --darpc) darpc=${2:?a folder} ;;
            *) usage ;;
        esac
        shift 2
    done
    mkdir -p "$directory/classes"
    disni=$(sources disni "$DISNI" "$disni")
    darpc=$(sources darpc "$DARPC" "$darpc")
    java_home=$(readlink -f "$(command -v javac)")
    java_home=${java_home%/bin/javac}
    g++ -O2 -fPIC -shared -w -I"$java_home/include" -I"$java_home/include/linux" -o "$directory/libdisni.so" \
        "$disni/libdisni/src/verbs/com_ibm_disni_verbs_impl_NativeDispatcher.cpp" \
        -x c "$disni/libdisni/src/affinity/com_ibm_disni_util_NativeAffinity.c" -lrdmacm -libverbs
    for library in "commons-cli:commons-cli:$CLI" "com.ibm.jnvmf:jnvmf:$JNVMF" "org.jspecify:jspecify:$JSPECIFY"; do
        mvn -q -B -f "$root/pom.xml" -N dependency:copy "-Dartifact=$library" "-DoutputDirectory=$directory"
    done
    find "$disni/src/test/java" "$darpc/src" -name '*.java' > "$directory/sources"
    javac -nowarn -Xlint:none -d "$directory/classes" -cp "$(class_path libdisni)" "@$directory/sources"
    javac -nowarn -Xlint:none -proc:none -implicit:class -d "$directory/classes" -cp "$(class_path libdisni)" \
        -sourcepath "$own:$root/tests/guests/src/main/java" "$own"/io/github/rdma4j/it/disni/{DisniCalls,NvmeClient}.java
    echo "$directory/libdisni.so"
}

# ---- programs -------------------------------------------------------------------------------------------------------

# With the jar first whose classes are to be found first.
class_path() {
    local -a first=("$libraries"/disni-*.jar)
    [[ $1 == libdisni ]] || first=("$libraries"/rdma4j-disni-*.jar)
    echo "${first[0]}:$libraries/*:$directory/classes:$directory/*"
}

# program LIBRARY [OPTION...] CLASS ARGUMENT...: becomes the program, with a limit, because some of DiSNI's may stand still.
program() {
    local -a jvm=(-XX:+UseSerialGC)
    case $1 in
        libdisni) jvm+=(-Djava.library.path="$directory" --add-exports=java.base/sun.nio.ch=ALL-UNNAMED) ;;
        rdma4j) ;;
        *) usage ;;
    esac
    exec timeout "$LIMIT" java "${jvm[@]}" -cp "$(class_path "$1")" "${@:2}"
}

# pair SERVER CLIENT PROGRAM ARGUMENT...: prints what the client prints; the exit status is the client's.
pair() {
    local server=$1 client=$2 name=com.ibm.disni.$3 ends=() status=0 log pid
    shift 3
    ends=("${name}Server" "${name}Client")
    local -a served=("$@")
    if [[ $name == *.DaRPC ]]; then
        ends=(com.ibm.darpc.examples.{server.DaRPCServer,client.DaRPCClient})
        served=()
    fi
    log=$(mktemp)
    program "$server" "${ends[0]}" -a "$ADDRESS" ${served[@]+"${served[@]}"} > "$log" 2>&1 &
    pid=$!
    until rdma resource show cm_id | grep -q LISTEN; do
        kill -0 "$pid" 2> /dev/null || { cat "$log" >&2 && return 1; }
        sleep 0.1
    done
    (program "$client" "${ends[1]}" -a "$ADDRESS" "$@" 2>> "$log") || status=$?
    ((status == 0)) || echo "the client ended with $status; 124 is the limit of $LIMIT s" >&2
    # DaRPC's server serves for ever, and DiSNI's may have missed the end of the client.
    kill "$pid" 2> /dev/null || true
    wait "$pid" 2> /dev/null || true
    rm -f "$log"
    return "$status"
}

# The figure of a program, which prints several lines.
figure() {
    awk '/^TCP result/ { tcp = 1 }
        /^RDMA result/ { tcp = 0 }
        /average latency:/ && !tcp { figure = $(NF - 1) * 1000 " us" }
        /ReadClient, latency/ { figure = $NF " us" }
        /^throughput/ { figure = $NF " calls/s" }
        END { print figure == "" ? "nothing" : figure }'
}

# compare TURNS WORD
compare() {
    local turn library row
    local -a rows=(
        'benchmarks.RDMAvsTcpBenchmark -s 64 -k 20000'
        'benchmarks.Read -s 64 -k 100000'
        'DaRPC -k 20000 -m future-take'
        'DaRPC -k 20000 -m future-poll'
        'DaRPC -k 20000 -m stream-take'
        'DaRPC -k 20000 -m stream-poll'
    )
    # Both of its ends poll, and on one processor it loses replies sooner or later.
    (($(nproc) == 1)) || rows+=('benchmarks.SendRecv -s 64 -q 1 -k 20000')
    for row in "${rows[@]}"; do
        [[ $row == *"$2"* ]] || continue
        for ((turn = 1; turn <= $1; turn++)); do
            for library in libdisni rdma4j; do
                # shellcheck disable=SC2086 # words
                echo "$row: turn $turn, $library: $(pair "$library" "$library" $row | figure)"
            done
        done
    done
}

# The lines of libdisni: the recorded ones without comments, without calls that are not made, with libdisni's results.
calls() {
    local recorded=$root/tests/sockets/src/test/resources/disni/calls.txt
    diff <(sed -e '/^#/d' -e '/ | not on libdisni: /d' -e 's/ -> .* | libdisni: / -> /' "$recorded") \
        <(program libdisni io.github.rdma4j.it.disni.DisniCalls "$ADDRESS" 7471 10.77.0.99 libdisni 2> /dev/null |
            grep -e ' -> ')
    echo "libdisni does what $recorded says"
}

# set_all DIRECTORY NAME=VALUE...: settings of the kernel's NVMe target.
set_all() {
    local setting
    for setting in "${@:2}"; do
        echo "${setting#*=}" > "$1/${setting%%=*}"
    done
}

# A target with a file in memory as its only namespace. The guest ends with the command, and the target with the guest.
serve_nvme() {
    local settings=/sys/kernel/config/nvmet file=/dev/shm/nvme
    modprobe nvmet-rdma || {
        echo "disni.sh: this kernel has no NVMe target over RDMA: ./rdma4j testbed run --kernel 6.1 -- ..." >&2
        exit 1
    }
    [[ -d $settings ]] || mount -t configfs none /sys/kernel/config
    truncate -s 4M "$file"
    mkdir -p "$settings/subsystems/$1/namespaces/1" "$settings/ports/1"
    set_all "$settings/subsystems/$1" attr_allow_any_host=1
    set_all "$settings/subsystems/$1/namespaces/1" device_path="$file" buffered_io=1 enable=1
    set_all "$settings/ports/1" addr_adrfam=ipv4 addr_trtype=rdma addr_traddr="$ADDRESS" addr_trsvcid=4420
    ln -s "$settings/subsystems/$1" "$settings/ports/1/subsystems/$1"
}

# nvme TURNS: the client reads back what it has written and compares every byte.
nvme() {
    local turn library name=nqn.2026-11.io.github.rdma4j:programs
    local LIMIT=$((4 * LIMIT))
    serve_nvme "$name"
    for ((turn = 1; turn <= $1; turn++)); do
        for library in libdisni rdma4j; do
            (program "$library" --add-exports=java.base/sun.nio.ch=ALL-UNNAMED -Djnvmf.legacy=true \
                -Drdma4j.disni.retries=6 io.github.rdma4j.it.disni.NvmeClient "$ADDRESS" 4420 "$name" 2>&1 || true) |
                sed -e '/^SLF4J/d' -e '/^closed$/d' -e "s/^/turn $turn, $library: /"
        done
    done
}

(($# >= 2)) || usage
directory=$(mkdir -p "$2" && readlink -f "$2")
case $1 in
    build) build "${@:3}" ;;
    pair) (($# >= 5)) && pair "${@:3}" || exit ;;
    compare) compare "${3:-3}" "${4:-}" ;;
    calls) calls ;;
    nvme) nvme "${3:-3}" ;;
    *) usage ;;
esac
