// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two guests on one Ethernet, booted once; the second panics in the end. */
@Nightly // TwoNodesIT and UmlIT have two nodes as well
class NodesIT {
    private static final String SCRIPT = """
            echo "node $RDMA4J_NODE"
            cat /sys/class/infiniband/rxe0/ports/1/gids/1
            testbed-node 2 -- cat /sys/class/infiniband/rxe0/ports/1/gids/1
            printf input | testbed-node 2 -- sh -c 'cat; echo " on $RDMA4J_NODE in $PWD with $1"; exit 7' sh 'a  b'
            echo "status $?"
            testbed-node 2 -- sh -c 'echo words >&2; kill -SEGV $$' 2>&1
            echo "status $?"
            testbed-node 2 -- no-such-command 2> /dev/null
            echo "status $?"
            testbed-node 1 -- true && echo "own node"
            for node in 1 2; do testbed-node $node -- getent ahostsv4 rdma4j-guest | head -n 1; done
            testbed-node 2 -- sh -c 'echo $$; sleep 1000' > /tmp/sleeper &
            while ! [ -s /tmp/sleeper ]; do :; done
            kill $!
            wait $!
            echo "status $?"
            busybox ping -c 1 10.77.0.2 > /dev/null && echo "reached"
            tc qdisc add dev eth0 root netem loss 100%
            busybox ping -c 1 -W 1 10.77.0.2 > /dev/null || echo "lost"
            testbed-node 2 -- sh -c 'echo written > "$0"/file; sync' "$SHARE"
            echo "before"
            testbed-node 2 -- sh -c 'echo c > /proc/sysrq-trigger'
            sleep 1000
            """;

    @TempDir
    private static Path directory;

    private static Launched.Outcome outcome;
    private static List<String> lines;

    @BeforeAll
    static void run() throws Exception {
        Path share = Files.createDirectory(directory.resolve("share"));
        List<String> arguments = new ArrayList<>(List.of("run", "--nodes", "2", "--memory", "1024"));
        arguments.addAll(List.of("--share", share.toString(), "--pcap", wire().toString(), "sh", "-c", SCRIPT));
        ProcessBuilder builder = Launched.builder(arguments.toArray(String[]::new));
        builder.environment().put("SHARE", share.toString());
        outcome = Launched.run(builder, new byte[0]);
        lines = outcome.text().lines().toList();
    }

    private static Path wire() {
        return directory.resolve("wire.pcap");
    }

    @Test
    void everyNodeHasADeviceWithAddressesOfItsOwn() {
        assertThat(lines).as(outcome.errors()).startsWith("node 1", gid(1), gid(2));
    }

    private static String gid(int node) {
        return "0000:0000:0000:0000:0000:ffff:0a4d:000" + node;
    }

    @Test
    void aCommandOnAnotherNodeWorksAsALocalCommand() {
        assertThat(lines)
                .containsSubsequence(
                        "input on 2 in " + Path.of("").toAbsolutePath() + " with a  b",
                        "status 7",
                        "words",
                        "status 139",
                        "status 127",
                        "own node",
                        "status 143");
    }

    @Test
    void theNameOfTheGuestIsTheAddressOfTheNode() {
        assertThat(lines)
                .anyMatch(line -> line.startsWith("10.77.0.1 "))
                .anyMatch(line -> line.startsWith("10.77.0.2 "));
    }

    @Test
    void theNodesReachEachOtherUntilAFaultIsAdded() throws Exception {
        assertThat(lines).containsSubsequence("reached", "lost");
        String wire = Files.readString(wire(), java.nio.charset.StandardCharsets.ISO_8859_1);
        // ICMP echo request and reply, between the addresses of the nodes.
        assertThat(wire).contains("\n\115\0\1\n\115\0\2\10\0").contains("\n\115\0\2\n\115\0\1\0\0");
    }

    @Test
    void sharesAreThoseOfAllNodes() throws Exception {
        assertThat(Files.readString(directory.resolve("share/file"))).isEqualTo("written\n");
    }

    @Test
    void aFailedNodeFailsTheRun() {
        assertThat(lines).endsWith("before");
        assertThat(outcome.status()).isEqualTo(121);
        assertThat(outcome.errors())
                .contains("node 2: the guest's kernel panicked")
                .contains("sysrq");
    }
}
