#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs Apache Crail, from its unchanged source, on rdma4j: the namenode over DaRPC, the RDMA storage tier, iobench, and a file
# that is copied in and out.
#
#   crail.sh build DIR              gets and compiles Crail and rdma4j; takes git, Maven and a JDK from 17 on
#   crail.sh run DIR active         in the testbed, on one node or two (storage on the second node); or passive
#   crail.sh run DIR active --libdisni FILE
#                                   the same on libdisni, from which disni.sh builds FILE, and then on rdma4j
#   crail.sh kill DIR active        in the testbed, on one node or two: kills a client, then the storage server; or passive
set -euo pipefail

readonly REPOSITORY=${CRAIL_REPOSITORY:-https://github.com/apache/incubator-crail}
readonly COMMIT=7245094cbf7cbb4507e31a64fed7d0017da9bd34
readonly MODULES=(client rpc storage storage-rdma rpc-darpc namenode)
readonly LIBRARIES=(com.ibm.darpc:darpc:1.9 commons-cli:commons-cli:1.3.1 log4j:log4j:1.2.17 org.slf4j:slf4j-log4j12:1.7.12)
readonly DISNI=com.ibm.disni:disni:2.1
readonly LIMIT=120

self=$(readlink -f "${BASH_SOURCE[0]}")
here=${self%/*}
logs=/tmp/crail-logs
limit=

# ---- on this machine ------------------------------------------------------------------------------------------------

build() {
    local sources
    mkdir -p "$dir/jars" "$dir/classes"
    [[ -d $dir/source ]] || git clone -q "$REPOSITORY" "$dir/source"
    git -C "$dir/source" checkout -q "$COMMIT"
    # rdma4j-disni-all stands for DiSNI's jar: the jars of a folder have no order.
    (
        cd "$here/../.."
        mvn -q -B -DskipTests -pl cm-protocol/disni-all -am package dependency:copy-dependencies \
            -DincludeScope=runtime -DexcludeArtifactIds=disni,rdma4j-disni \
            -DincludeGroupIds=io.github.rdma4j,com.github.jnr,org.ow2.asm,org.slf4j -DoutputDirectory="$dir/jars"
        cp cm-protocol/disni-all/target/rdma4j-disni-all-*.jar "$dir/jars"
        rm -f "$dir"/jars/*-{sources,javadoc}.jar
        for library in "${LIBRARIES[@]}"; do
            mvn -q -B dependency:copy -Dartifact="$library" -DoutputDirectory="$dir/jars"
        done
    )
    # For the comparison with libdisni: not among the jars, which stand for it.
    mvn -q -B dependency:copy -Dartifact="$DISNI" -DoutputDirectory="$dir"
    mapfile -t sources < <(find "${MODULES[@]/#/$dir/source/}" -path '*/src/main/java/*.java')
    javac -nowarn -XDignore.symbol.file --add-exports java.base/sun.nio.ch=ALL-UNNAMED \
        -cp "$dir/jars/*" -d "$dir/classes" "${sources[@]}" "$here/CrailCopy.java"
}

# ---- in the guest ---------------------------------------------------------------------------------------------------

# Crail reads its configuration from a folder of the node that it runs on.
configure() {
    local interface=veth0
    [[ -e /sys/class/net/veth0 ]] || interface=eth0
    export CRAIL_HOME=/tmp/crail
    mkdir -p "$CRAIL_HOME/conf" "$logs" /dev/shm/crail
    cat > "$CRAIL_HOME/conf/crail-site.conf" << END
crail.namenode.address              crail://10.77.0.1:9060
crail.namenode.rpctype              org.apache.crail.namenode.rpc.darpc.DaRPCNameNode
crail.namenode.darpc.connecttimeout 10000
crail.storage.types                 org.apache.crail.storage.rdma.RdmaStorageTier
crail.blocksize                     1048576
crail.buffersize                    1048576
crail.slicesize                     524288
crail.regionsize                    16777216
crail.cachepath                     /dev/shm/crail/cache
crail.cachelimit                    33554432
crail.rpctimeout                    20000
crail.datatimeout                   20000
crail.storage.rdma.type             $type
crail.storage.rdma.interface        $interface
crail.storage.rdma.datapath         /dev/shm/crail/data
crail.storage.rdma.storagelimit     536870912
crail.storage.rdma.allocationsize   16777216
crail.storage.rdma.localmap         false
crail.storage.rdma.connecttimeout   10000
END
    cat > "$CRAIL_HOME/log4j.properties" << END
log4j.rootLogger=INFO, console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.target=System.err
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=%d{ABSOLUTE} %m%n
END
}

# Becomes a JVM with the class path of Crail, with a limit on its time if the caller has set one: a benchmark that fails does
# not end by itself. Crail sets no retries: a guest that stands still for half a second would lose its connections.
java_of_crail() {
    local classes="$dir/jars/*:$dir/classes"
    [[ -z $libdisni ]] || classes="$dir/disni-2.1.jar:$classes"
    exec ${limit:+timeout -k 5 "$limit"} java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
        --add-exports java.base/sun.nio.ch=ALL-UNNAMED \
        -Dsun.nio.PageAlignDirectMemory=true -Drdma4j.disni.retries=6 \
        -Dlog4j.configuration="file:$CRAIL_HOME/log4j.properties" \
        ${libdisni:+-Djava.library.path="${libdisni%/*}"} -cp "$classes" "$@"
}

# Waits until a log has a line that matches; a fourth argument is the number of such lines.
await() {
    local log=$1 pattern=$2 what=$3 lines=${4:-1}
    touch "$log"
    SECONDS=0
    until (($(grep -c "$pattern" "$log" || true) >= lines)); do
        if ((SECONDS > LIMIT)); then
            echo "crail.sh: not within $LIMIT s: $what" >&2
            tail -n 20 "$log" >&2
            exit 1
        fi
        sleep 0.1
    done
}

start_namenode() {
    java_of_crail org.apache.crail.namenode.NameNode > "$logs/namenode" 2>&1 &
    await "$logs/namenode" 'opened server at' 'the namenode serves'
}

# On the second node, if there are two. The server writes a line when it has told the namenode of 16 MiB, and then a line every
# two seconds.
start_storage() {
    rm -f "$logs/storage"
    if [[ -e /sys/class/net/veth0 ]]; then
        "$self" storage "$dir" "$type" ${libdisni:+--libdisni "$libdisni"} > "$logs/storage" 2>&1 &
    else
        testbed-node 2 -- "$self" storage "$dir" "$type" ${libdisni:+--libdisni "$libdisni"} > "$logs/storage" 2>&1 &
    fi
    storage=$!
    await "$logs/storage" 'datanode statistics' 'the storage server has told the namenode of its memory' 33
}

iobench() {
    local log=$logs/iobench-$2
    if ! (limit=$LIMIT && java_of_crail org.apache.crail.tools.CrailBenchmark "$@") > "$log" 2> "$log.errors"; then
        echo "crail.sh: iobench $* failed" >&2
        grep -m 1 -A 8 -E 'Exception|Error' "$log.errors" >&2 || tail -n 20 "$log.errors" >&2
        exit 1
    fi
    # createFile counts no operations, writeInt and readInt print no figures.
    awk -v name="$2" '
        /^execution time / { seconds = $3 } /^ops / { ops = $2 } /^throughput / { rate = $2 } /^latency / { micros = $2 }
        END {
            if (ops) printf "%s: %d operations, %.0f us each%s\n", name, ops, micros, rate ? sprintf(", %.0f Mbit/s", rate) : ""
            else printf "%s: done%s\n", name, seconds ? " in " seconds " s" : ""
        }' "$log"
}

copy() {
    if ! (limit=$LIMIT && java_of_crail CrailCopy "$@") > "$logs/copy" 2>&1; then
        cat "$logs/copy" >&2
        exit 1
    fi
}

all_of_iobench() {
    local block=524288
    iobench -t write -f /bytes -s $block -k 100 -w 32 -m false
    iobench -t readSequential -f /bytes -s $block -k 100 -w 32 -m false
    iobench -t readRandom -f /bytes -s 4096 -k 5000 -w 32 -m false
    iobench -t writeAsync -f /bytes-async -s $block -k 100 -b 8 -w 32
    iobench -t readSequentialAsync -f /bytes-async -s $block -k 100 -b 8 -w 32
    iobench -t getFile -f /bytes -k 5000 -w 32
    iobench -t createFile -f /files -k 100 -w 1
    iobench -t writeInt -f /numbers -k 300000
    iobench -t readInt -f /numbers -k 300000
    awk '
        /^reading position/ { read++ } /^reading position/ && $5 != $8 { wrong++; print }
        END { print "readInt: " read " numbers, " wrong + 0 " wrong"; exit read != 300000 || wrong }' "$logs/iobench-readInt"
}

# Runs everything on libdisni first, if it is given.
run() {
    if [[ -n $libdisni ]]; then
        echo "on libdisni:"
        run_once
        stop_servers
        libdisni=
        echo "on rdma4j:"
    fi
    run_once
}

stop_servers() {
    local pids
    mapfile -t pids < <(jobs -p)
    kill "${pids[@]}" 2> /dev/null || true
    wait "${pids[@]}" 2> /dev/null || true
    rm -rf /dev/shm/crail "$logs" /tmp/file-again
}

run_once() {
    configure
    start_namenode
    start_storage
    all_of_iobench
    head -c 20000003 /dev/urandom > /tmp/file
    copy in /tmp/file /file
    copy out /file /tmp/file-again
    cmp /tmp/file /tmp/file-again
    echo "copied in and out: 20000003 bytes are equal"
}

sent() {
    cat /sys/class/infiniband/rxe0/ports/1/hw_counters/sent_pkts
}

# A client that reads for ever, and reads already when this function returns.
start_reader() {
    local before
    java_of_crail org.apache.crail.tools.CrailBenchmark -t readRandom -f /bytes -s 4096 -k 100000000 -w 1 -m false \
        > "$logs/reader" 2>&1 &
    reader=$!
    await "$logs/reader" 'starting benchmark' 'a client has connected'
    before=$(sent)
    until (($(sent) > before + 1000)); do sleep 0.1; done
}

kill_hard() {
    { kill -KILL "$1" && wait "$1"; } 2> /dev/null || true
}

kill_storage() {
    if [[ -e /sys/class/net/veth0 ]]; then
        kill_hard "$storage"
    else
        testbed-node 2 -- pkill -KILL -f org.apache.crail.storage.StorageServer
        wait "$storage" 2> /dev/null || true
    fi
}

kill_peers() {
    local gone
    configure
    start_namenode
    start_storage
    iobench -t write -f /bytes -s 524288 -k 100 -w 32 -m false
    gone=$(grep -c 'removing endpoint' "$logs/storage" || true)
    start_reader
    kill_hard "$reader"
    await "$logs/storage" 'removing endpoint' 'the storage server notices that the client is gone' $((gone + 1))
    iobench -t readSequential -f /bytes -s 524288 -k 100 -w 32 -m false
    echo "a client was killed: the storage server serves the next client"

    start_reader
    kill_storage
    await "$logs/reader" 'faulty request, status\|error in wc, status' 'the client is told that the storage server is gone'
    echo "the storage server was killed: $SECONDS s later the client says:" \
        "$(grep -m 1 -o 'faulty request, status .*\|error in wc, status .*' "$logs/reader")"
    # Crail's client does not end by itself.
    kill_hard "$reader"
    start_storage
    iobench -t write -f /bytes-again -s 524288 -k 20 -w 1 -m false
    iobench -t readSequential -f /bytes-again -s 524288 -k 20 -w 1 -m false
    echo "the storage server was started again: it serves the next client"
}

(($# >= 2)) || {
    sed -n '3,/^[^#]/s/^# \?//p' "$self" >&2
    exit 2
}
mkdir -p "$2"
dir=$(readlink -f "$2")
type=${3:-passive}
libdisni=
if [[ ${4:-} == --libdisni ]]; then
    libdisni=$(readlink -e "${5:?a file}")
fi
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
case $1 in
    build) build ;;
    run) run ;;
    kill) kill_peers ;;
    storage)
        configure
        java_of_crail org.apache.crail.storage.StorageServer
        ;;
    *)
        echo "crail.sh: no such command: $1" >&2
        exit 2
        ;;
esac
