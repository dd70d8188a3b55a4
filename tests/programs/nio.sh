#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs programs that use java.nio's channels or plain sockets, unmodified from Maven Central, over RDMA with rdma4j's provider or
# agent. Each run ends with what was sent as RoCE and what as TCP, and fails if the program's bytes went as TCP.
#
#   nio.sh build DIR PROGRAM...     gets the jars of the programs and compiles rdma4j; takes Maven and a JDK from 17 on
#   nio.sh dns DIR                  anywhere: resolves names with Netty 4.1 and 4.2
#   nio.sh PROGRAM DIR              in the testbed: netty, jetty, grpc, zookeeper, kafka, h2, tomcat, hdfs, or spark, which also takes two nodes
#   nio.sh openjdk DIR SOURCES [TEST]...
#                                   in the testbed: the tests of channels of a source tree of OpenJDK 17
#   nio.sh harmony DIR SOURCES [CLASS]...
#                                   in the testbed: those of a source tree of Apache Harmony
set -euo pipefail

readonly NETTY=4.2.20.Final NETTY_41=4.1.112.Final JUNIT=5.14.4 JETTY=12.1.13 ZOOKEEPER=3.9.4 KAFKA=4.1.1 GRPC=1.76.0 SPARK=4.0.1 H2=2.3.232 TOMCAT=8.0.53 HADOOP=3.4.2 SLF4J=2.0.17 SLF4J_1=1.7.36 TESTNG=7.5.1
readonly ADDRESS=10.77.0.1 SECOND=10.77.0.2 LIMIT=120
readonly PROVIDER=-Djava.nio.channels.spi.SelectorProvider=io.github.rdma4j.nio.RdmaSelectorProvider
readonly COUNTERS=/sys/class/infiniband/rxe0/ports/1/hw_counters

# The classes of Netty's suite for streams, and that for event loops.
readonly SUITE=(SocketEchoTest SocketFixedLengthEchoTest SocketStringEchoTest SocketObjectEchoTest SocketFileRegionTest
    SocketSslEchoTest SocketSslGreetingTest SocketSslClientRenegotiateTest SocketSslSessionReuseTest SocketStartTlsTest
    SocketHalfClosedTest SocketAutoReadTest SocketReadPendingTest SocketGatheringWriteTest CompositeBufferGatheringWriteTest
    SocketConditionalWritabilityTest SocketRstTest SocketShutdownOutputByPeerTest SocketShutdownOutputBySelfTest
    SocketConnectTest SocketConnectionAttemptTest SocketMultipleConnectTest SocketChannelNotYetConnectedTest
    SocketDataReadInitialStateTest SocketExceptionHandlingTest WriteBeforeRegisteredTest SocketAddressesTest
    SocketCloseForciblyTest SocketBufReleaseTest SocketCancelWriteTest SocketSpdyEchoTest SocketSslLargeCertificateTest
    TrafficShapingHandlerTest SocketChannelEOFTest ServerSocketSuspendTest)

# The classes of Apache Harmony's tests of channels that are about sockets, selectors and pipes.
readonly HARMONY=(SocketChannelTest ServerSocketChannelTest SelectorTest SelectionKeyTest SelectableChannelTest PipeTest SinkChannelTest
    SourceChannelTest spi.AbstractInterruptibleChannelTest spi.AbstractSelectableChannelTest spi.AbstractSelectionKeyTest
    spi.AbstractSelectorTest)
readonly HARMONY_PATH=org/apache/harmony/nio/tests/java/nio/channels

self=$(readlink -f "${BASH_SOURCE[0]}")
here=${self%/*}
limit=
classes=

# ---- on this machine ------------------------------------------------------------------------------------------------

# get NAME ARTIFACT...: the artifacts, and what they need, into a folder.
get() {
    local name=$1 artifact group id version
    shift
    {
        echo '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        echo "<groupId>programs</groupId><artifactId>$name</artifactId><version>1</version>"
        echo '<dependencyManagement><dependencies><dependency><groupId>org.junit</groupId><artifactId>junit-bom</artifactId>'
        echo "<version>$JUNIT</version><type>pom</type><scope>import</scope></dependency></dependencies></dependencyManagement>"
        echo '<dependencies>'
        for artifact; do
            IFS=: read -r group id version <<< "$artifact"
            echo "<dependency><groupId>$group</groupId><artifactId>$id</artifactId><version>$version</version></dependency>"
        done
        echo '</dependencies></project>'
    } > "$dir/$name.xml"
    mvn -q -B -f "$dir/$name.xml" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$dir/$name"
}

build() {
    (
        cd "$here/../.."
        mvn -q -B -DskipTests -pl cm-protocol/nio -am package dependency:copy-dependencies -DincludeScope=runtime \
            -DincludeGroupIds=io.github.rdma4j,com.github.jnr,org.ow2.asm \
            -DoutputDirectory="$dir/rdma4j"
        cp cm-protocol/nio/target/rdma4j-nio-*.jar "$dir/rdma4j"
        rm -f "$dir"/rdma4j/*-{sources,javadoc,tests}.jar
    )
    mkdir -p "$dir/classes"
    for program; do
        case $program in
            netty)
                get netty "io.netty:netty-testsuite:$NETTY" "org.junit.jupiter:junit-jupiter:$JUNIT" \
                    "org.junit.platform:junit-platform-launcher:1.${JUNIT#5.}" org.assertj:assertj-core:3.27.7 \
                    io.netty:netty-tcnative-boringssl-static:2.0.84.Final
                javac -cp "$dir/netty/*" -d "$dir/classes" "$here/JUnitSuite.java"
                ;;
            dns)
                get dns-4.1 "io.netty:netty-resolver-dns:$NETTY_41"
                get dns-4.2 "io.netty:netty-resolver-dns:$NETTY"
                javac -cp "$dir/dns-4.1/*" -d "$dir/classes" "$here/NettyResolve.java"
                ;;
            jetty)
                get jetty "org.eclipse.jetty:jetty-server:$JETTY" "org.eclipse.jetty:jetty-client:$JETTY" \
                    "org.slf4j:slf4j-simple:$SLF4J"
                javac -cp "$dir/jetty/*" -d "$dir/classes" "$here/JettyExchange.java"
                ;;
            grpc)
                get grpc "io.grpc:grpc-netty-shaded:$GRPC" "io.grpc:grpc-stub:$GRPC"
                javac -cp "$dir/grpc/*" -d "$dir/classes" "$here/GrpcExchange.java"
                ;;
            # The server needs what its POM calls provided.
            zookeeper)
                get zookeeper "org.apache.zookeeper:zookeeper:$ZOOKEEPER" io.dropwizard.metrics:metrics-core:4.1.12.1 \
                    org.xerial.snappy:snappy-java:1.1.10.5 commons-cli:commons-cli:1.5.0 "org.slf4j:slf4j-simple:$SLF4J"
                ;;
            kafka)
                get kafka "org.apache.kafka:kafka_2.13:$KAFKA" "org.apache.kafka:kafka-tools:$KAFKA" \
                    "org.slf4j:slf4j-simple:$SLF4J_1"
                ;;
            h2)
                get h2 "com.h2database:h2:$H2"
                javac -d "$dir/classes" "$here/H2Exchange.java"
                ;;
            # The last with the blocking connector.
            tomcat)
                get tomcat "org.apache.tomcat.embed:tomcat-embed-core:$TOMCAT" "org.apache.tomcat.embed:tomcat-embed-logging-juli:$TOMCAT"
                javac -cp "$dir/tomcat/*" -d "$dir/classes" "$here/TomcatExchange.java"
                ;;
            hdfs)
                get hdfs "org.apache.hadoop:hadoop-client-minicluster:$HADOOP" "org.apache.hadoop:hadoop-client-runtime:$HADOOP" \
                    "org.slf4j:slf4j-simple:$SLF4J_1"
                javac -cp "$dir/hdfs/*" -d "$dir/classes" "$here/HdfsExchange.java"
                ;;
            spark)
                get spark "org.apache.spark:spark-core_2.13:$SPARK"
                javac -cp "$dir/spark/*" -d "$dir/classes" "$here/SparkShuffle.java"
                ;;
            openjdk)
                get openjdk "org.testng:testng:$TESTNG" "org.junit.jupiter:junit-jupiter:$JUNIT" \
                    "org.junit.platform:junit-platform-console-standalone:1.${JUNIT#5.}" "org.slf4j:slf4j-nop:$SLF4J"
                javac -d "$dir/classes" "$here/OpenJdkTests.java" "$here/SocketsOfChannels.java"
                ;;
            harmony)
                get harmony "org.junit.jupiter:junit-jupiter:$JUNIT" "org.junit.vintage:junit-vintage-engine:$JUNIT" \
                    "org.junit.platform:junit-platform-launcher:1.${JUNIT#5.}"
                javac -cp "$dir/harmony/*" -d "$dir/classes" "$here/JUnitSuite.java"
                ;;
            *) usage ;;
        esac
    done
}

# ---- in the guest ---------------------------------------------------------------------------------------------------

# Becomes a JVM with a program's class path and rdma4j's provider, and with a limit on its time if the caller has set one.
java_of() {
    local program=$1
    shift
    # shellcheck disable=SC2086 # the options are several words
    exec ${limit:+timeout -k 5 "$limit"} java -XX:+UseSerialGC ${JAVA_OPTIONS:-} "$PROVIDER" \
        "-Dio.github.rdma4j.nio.rules=$rules" -cp "$dir/$program/*:$dir/rdma4j/*:$dir/classes${classes:+:$classes}" "$@"
}

# With one node, the device is on veth0.
two_nodes() {
    [[ ! -e /sys/class/net/veth0 ]]
}

on_all_nodes() {
    "$@"
    if two_nodes; then
        testbed-node 2 -- "$@"
    fi
}

roce() {
    on_all_nodes cat "$COUNTERS/sent_pkts" | awk '{ sum += $1 } END { print sum }'
}

# The kernel counts the TCP of testbed-node too, which goes by another Ethernet: with two nodes, filters count.
count_tcp() {
    local device protocol priority=0
    for device in eth0 lo; do
        tc qdisc add dev "$device" clsact
        for protocol in ip ipv6; do
            priority=$((priority + 1))
            tc filter add dev "$device" egress protocol "$protocol" prio "$priority" flower ip_proto tcp action pass
        done
    done
}

segments() {
    if two_nodes; then
        { on_all_nodes tc -s filter show dev eth0 egress && on_all_nodes tc -s filter show dev lo egress; } |
            awk '/Sent/ { sum += $4 } END { print sum }'
    else
        awk '/^Tcp:/ { line++; if (line == 2) print $12 }' /proc/net/snmp
    fi
}

begin() {
    roce_before=$(roce)
    segments_before=$(segments)
}

# end LEAST MOST: fails without LEAST packets of RoCE, or with more than MOST segments of TCP.
end() {
    local packets=$(($(roce) - roce_before)) tcp=$(($(segments) - segments_before))
    echo "$packets packets of RoCE, $tcp segments of TCP"
    if ((packets < $1 || tcp > $2)); then
        echo "nio.sh: expected $1 packets of RoCE or more, and $2 segments of TCP or fewer" >&2
        exit 1
    fi
}

# await LOG PATTERN WHAT
await() {
    touch "$1"
    SECONDS=0
    until grep -q "$2" "$1"; do
        if ((SECONDS > LIMIT)); then
            echo "nio.sh: not within $LIMIT s: $3" >&2
            tail -n 20 "$1" >&2
            exit 1
        fi
        sleep 0.1
    done
}

# The suite uses loopback addresses, and as its bad address one that nobody has. Its old blocking transport, which takes turns with
# that of NIO, and its plain sockets stay with TCP.
netty() {
    rules="loopback $ADDRESS"
    (($#)) || set -- NioEventLoopTest "${SUITE[@]/#/socket.}"
    echo '<configuration><root level="OFF"/></configuration>' > /tmp/logback.xml
    begin
    (java_of netty -Dio.netty.transport.noNative=true -Dio.netty.testsuite.badHost=10.77.0.99 \
        -Dlogback.configurationFile=/tmp/logback.xml JUnitSuite io.netty.testsuite.transport "$@")
    end 100 1000000000
}

# Names come by datagrams, which are UDP's.
dns() {
    rules='both *'
    (java_of dns-4.1 NettyResolve)
    (java_of dns-4.2 NettyResolve)
}

jetty() {
    rules='fallback none'
    begin
    (java_of jetty JettyExchange "$ADDRESS")
    end 2000 0
}

# Netty in gRPC's jar has a switch of its own for its native transports.
grpc() {
    rules='fallback none'
    begin
    (java_of grpc -Dio.grpc.netty.shaded.io.netty.transport.noNative=true GrpcExchange "$ADDRESS")
    end 2000 0
}

zookeeper() {
    local work=/tmp/zookeeper server
    rules='fallback none'
    mkdir -p "$work"
    printf '%s\n' "dataDir=$work/data" clientPort=2181 "clientPortAddress=$ADDRESS" admin.enableServer=false > "$work/zoo.cfg"
    begin
    java_of zookeeper org.apache.zookeeper.server.ZooKeeperServerMain "$work/zoo.cfg" > "$work/log" 2>&1 &
    server=$!
    await "$work/log" 'binding to port\|PrepRequestProcessor.*started' 'the server listens'
    printf '%s\n' 'create /rdma bytes' 'set /rdma others' 'get /rdma' 'ls /' 'delete /rdma' 'ls /' quit |
        (java_of zookeeper org.apache.zookeeper.ZooKeeperMain -server "$ADDRESS:2181") > "$work/client" 2>&1
    grep -e '^Created' -e '^others' -e '^\[.*\]$' "$work/client"
    kill "$server"
    wait "$server" || true
    grep -q '^others$' "$work/client"
    end 20 0
}

# A broker that is its own controller; 20,000 messages from the producer are read again by the consumer.
kafka() {
    local work=/tmp/kafka broker
    rules='fallback none'
    mkdir -p "$work"
    cat > "$work/server.properties" << END
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@$ADDRESS:9093
listeners=PLAINTEXT://$ADDRESS:9092,CONTROLLER://$ADDRESS:9093
advertised.listeners=PLAINTEXT://$ADDRESS:9092
controller.listener.names=CONTROLLER
log.dirs=$work/data
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
END
    export JAVA_OPTIONS=-Xmx600m
    (java_of kafka kafka.tools.StorageTool format -t MkU3OEVBNTcwNTJENDM2Qk -c "$work/server.properties") > "$work/format" 2>&1
    begin
    java_of kafka kafka.Kafka "$work/server.properties" > "$work/log" 2>&1 &
    broker=$!
    await "$work/log" 'Kafka Server started' 'the broker serves'
    seq 20000 > "$work/in"
    (java_of kafka org.apache.kafka.tools.ConsoleProducer --bootstrap-server "$ADDRESS:9092" --topic numbers) \
        < "$work/in" > "$work/producer" 2>&1
    (java_of kafka org.apache.kafka.tools.consumer.ConsoleConsumer --bootstrap-server "$ADDRESS:9092" --topic numbers \
        --from-beginning --max-messages 20000 --timeout-ms 60000) > "$work/out" 2> "$work/consumer"
    kill "$broker"
    wait "$broker" || true
    cmp "$work/in" "$work/out"
    echo "20000 messages are equal"
    end 500 0
}

# Has plain sockets go over RDMA too.
with_agent() {
    JAVA_OPTIONS=-javaagent:$(echo "$dir"/rdma4j/rdma4j-nio-*.jar)
    export JAVA_OPTIONS
}

# H2's server, and a client that knows JDBC only, with plain sockets.
h2() {
    local work=/tmp/h2 server
    rules='fallback none'
    mkdir -p "$work"
    with_agent
    JAVA_OPTIONS+=" -Dh2.bindAddress=$ADDRESS"
    begin
    java_of h2 org.h2.tools.Server -tcp -tcpAllowOthers -ifNotExists -tcpPort 9123 -baseDir "$work" > "$work/log" 2>&1 &
    server=$!
    await "$work/log" 'TCP server running' 'the server listens'
    (java_of h2 H2Exchange "jdbc:h2:tcp://$ADDRESS:9123/./rows")
    kill "$server"
    wait "$server" || true
    end 2000 0
}

# Tomcat's blocking connector and HttpURLConnection, both with plain sockets.
tomcat() {
    rules='fallback none'
    with_agent
    begin
    (java_of tomcat TomcatExchange "$ADDRESS")
    end 2000 0
}

# HDFS's client, and a cluster that serves on the loopback address.
hdfs() {
    local work=/tmp/hdfs server
    rules="fallback none; loopback $ADDRESS"
    mkdir -p "$work"
    with_agent
    begin
    java_of hdfs HdfsExchange cluster 9820 "$work/data" > "$work/log" 2>&1 &
    server=$!
    await "$work/log" 'the cluster serves' 'the cluster serves'
    (java_of hdfs HdfsExchange client 9820)
    kill "$server"
    wait "$server" || true
    end 500 0
}

prepare_spark() {
    local work=/tmp/spark package
    mkdir -p "$work"
    ln -sfn "$dir/spark" "$work/jars"
    echo 'fallback none' > "$work/rules"
    export SPARK_HOME=$work SPARK_LOCAL_IP=$1 SPARK_LOCAL_HOSTNAME=$1 SPARK_SCALA_VERSION=2.13
    rules=$work/rules
    JAVA_OPTIONS='-Xmx600m -Dio.netty.transport.noNative=true'
    for package in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util java.util.concurrent \
        java.util.concurrent.atomic sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar; do
        JAVA_OPTIONS+=" --add-opens=java.base/$package=ALL-UNNAMED"
    done
}

# A master, two workers and an executor of each. On one node the driver's JVM has all but the executors. On two nodes each of these
# is a JVM of its own, and the second worker is on the second node, so that half of the shuffle goes over the wire.
spark() {
    local master='local-cluster[2,1,512]' logs=/tmp/spark options
    prepare_spark "$ADDRESS"
    if two_nodes; then
        on_all_nodes "$self" count_tcp "$dir"
    fi
    begin
    if two_nodes; then
        master=spark://$ADDRESS:7077
        java_of spark org.apache.spark.deploy.master.Master --host "$ADDRESS" --port 7077 --webui-port 8080 > "$logs/master.log" 2>&1 &
        await "$logs/master.log" 'New state: ALIVE' 'the master serves'
        spark_worker "$ADDRESS" > "$logs/worker-1.log" 2>&1 &
        testbed-node 2 -- "$self" spark_worker "$dir" "$SECOND" > "$logs/worker-2.log" 2>&1 &
        await "$logs/worker-1.log" 'Successfully registered' 'the first worker is registered'
        await "$logs/worker-2.log" 'Successfully registered' 'the second worker is registered'
    fi
    options="-XX:+UseSerialGC $PROVIDER -Dio.github.rdma4j.nio.rules=$rules -Dio.netty.transport.noNative=true"
    (java_of spark "-Dspark.master=$master" -Dspark.executor.memory=512m -Dspark.ui.enabled=false \
        -Dspark.cores.max=2 -Dspark.scheduler.minRegisteredResourcesRatio=1.0 -Dspark.scheduler.maxRegisteredResourcesWaitingTime=300s \
        "-Dspark.driver.host=$ADDRESS" "-Dspark.executor.extraJavaOptions=$options" \
        "-Dspark.executor.extraClassPath=$dir/rdma4j/*:$dir/classes" SparkShuffle)
    end 1000 0
}

# Becomes the worker of a node with this address.
spark_worker() {
    [[ $1 == "$ADDRESS" ]] || prepare_spark "$1"
    java_of spark org.apache.spark.deploy.worker.Worker --host "$1" --cores 1 --memory 600m --webui-port 8081 \
        "spark://$ADDRESS:7077"
}

# openjdk SOURCES [TEST]...: the tests use loopback addresses, and many of them plain sockets, which stay with TCP.
openjdk() {
    local work=/tmp/openjdk
    rules="loopback $ADDRESS"
    mkdir -p "$work"
    java_of openjdk OpenJdkTests "$work" "$@"
}

# Makes a copy of Harmony's tests that today's compilers take: Java 7 gave methods to classes that the tests extend, and another
# SocketChannel.open.
copy_of_harmony() {
    local option='java.net.SocketOption' address='java.net.SocketAddress' methods
    cp -r "$1" "$2"
    methods="public <T> T getOption($option<T> name) { return null; } public $address getLocalAddress() { return null; }"
    methods+=" public java.util.Set<$option<?>> supportedOptions() { return java.util.Set.of(); }"
    sed -i "/class MockServerSocketChannel extends/a $methods \
        public <T> ServerSocketChannel setOption($option<T> name, T value) { return this; } \
        public ServerSocketChannel bind($address address, int backlog) { return this; }" \
        "$2/$HARMONY_PATH/MockServerSocketChannel.java"
    sed -i -e "s/SocketChannel.open(null)/SocketChannel.open(($address) null)/" \
        -e "/class MockSocketChannel extends/a $methods public $address getRemoteAddress() { return null; } \
        public <T> SocketChannel setOption($option<T> name, T value) { return this; } \
        public SocketChannel bind($address address) { return this; } \
        public SocketChannel shutdownInput() { return this; } public SocketChannel shutdownOutput() { return this; }" \
        "$2/$HARMONY_PATH/SocketChannelTest.java"
}

# harmony SOURCES [CLASS]...: each class has a JVM of its own, which uses TCP only where the class has plain sockets. A class that
# fails runs again with the JDK's provider.
harmony() {
    local work=/tmp/harmony failed=0 package=${HARMONY_PATH//\//.} support class
    support=$(readlink -e "$1/classlib/support/src/test/java")
    mkdir -p "$work/classes"
    copy_of_harmony "$1/classlib/modules/nio/src/test/java/common" "$work/sources"
    classes=$work/classes
    limit=$((2 * LIMIT))
    shift
    (($#)) || set -- "${HARMONY[@]}"
    for class; do
        javac -nowarn -encoding UTF-8 -cp "$dir/harmony/*" -sourcepath "$work/sources:$support" -d "$classes" \
            "$work/sources/$HARMONY_PATH/${class//.//}.java"
        rules="loopback $ADDRESS"
        grep -q 'new \(Server\)\?Socket(' "$work/sources/$HARMONY_PATH/${class//.//}.java" || rules+='; fallback none'
        begin
        if (java_of harmony JUnitSuite "$package" "$class"); then
            end 0 1000000000
            continue
        fi
        end 0 1000000000
        failed=$((failed + 1))
        echo "the same with the JDK's provider:"
        timeout "$limit" java -cp "$dir/harmony/*:$dir/classes:$classes" JUnitSuite "$package" "$class" || true
    done
    ((failed == 0))
}

usage() {
    sed -n '3,/^[^#]/s/^# \?//p' "$self" >&2
    exit 2
}

(($# >= 2)) || usage
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
command=$1
mkdir -p "$2"
dir=$(readlink -f "$2")
shift 2
case $command in
    build | dns | netty | jetty | grpc | zookeeper | kafka | h2 | tomcat | hdfs | spark | spark_worker | count_tcp | openjdk | harmony) "$command" "$@" ;;
    *) usage ;;
esac
