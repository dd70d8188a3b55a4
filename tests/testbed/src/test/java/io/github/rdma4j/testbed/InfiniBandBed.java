// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Two or more nodes with InfiniBand that the tests of a class share, and what these do on them. */
@SuppressWarnings("NullAway.Init") // by start, before the first test
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class InfiniBandBed {
    private static final String PORT = "/sys/class/infiniband/softib0/ports/";
    static Testbed testbed;
    static Node one;
    static Node two;

    static Testbed.Builder builder() {
        return Testbed.builder().device(Testbed.Device.IB).memoryMib(512);
    }

    static void start(Testbed.Builder builder) throws Exception {
        testbed = builder.start();
        one = testbed.node(1);
        two = testbed.node(2);
    }

    @AfterAll
    static void stop() throws Exception {
        testbed.close();
    }

    @AfterEach
    void noKernelHasComplained() throws Exception {
        for (Node node : testbed.nodes()) {
            assertNoComplaint(node);
        }
    }

    static void assertNoComplaint(Node node) throws Exception {
        assertThat(node.kernelLog()).doesNotContainPattern("WARNING:|BUG:|Call Trace");
    }

    static String run(Node node, String script) throws Exception {
        return node.exec("sh", "-c", script).requireSuccess().stdout();
    }

    /** A file of the first port in sysfs. */
    static String read(Node node, String file) throws Exception {
        return new String(node.read(PORT + "1/" + file), StandardCharsets.US_ASCII).strip();
    }

    /** Waits until a file of the first port has a line that matches. */
    static void await(Node node, String file, String pattern) throws Exception {
        await(node, 1, file, pattern);
    }

    static void await(Node node, int port, String file, String pattern) throws Exception {
        String path = PORT + port + "/" + file;
        until(node, "grep -qE '" + pattern + "' " + path, "cat " + path);
    }

    /** Waits until a command succeeds. */
    static void until(Node node, String condition) throws Exception {
        until(node, condition, "true");
    }

    /** As above; shows what another one says if it does not. */
    private static void until(Node node, String condition, String otherwise) throws Exception {
        String unused = run(
                node,
                "for i in $(seq 1000); do " + condition + " && exit; sleep 0.03; done; " + otherwise + "; exit 1");
    }

    static void assertReached(Node from, String address) throws Exception {
        String unused = run(
                from,
                "for i in $(seq 100); do busybox ping -c 1 -W 1 " + address + " > /dev/null && exit; done; exit 1");
    }
}
