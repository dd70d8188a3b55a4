// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.Testbed;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.UmlKernel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** Tests in a guest with an InfiniBand device: two adapters that are connected with each other. */
@EnabledIf(
        value = "io.github.rdma4j.testbed.junit.InfiniBandDeviceIT#mayRun",
        disabledReason = "the kernel of User Mode Linux is not in the cache; run ./rdma4j testbed setup --on uml")
@SoftRoce(device = Testbed.Device.IB)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InfiniBandDeviceIT {
    private static final String PORT = "/sys/class/infiniband/softib0/ports/1/state";

    static boolean mayRun() {
        return Files.exists(Path.of("/dev/infiniband/umad0")) || UmlKernel.isIn(CacheDirectory.of(System.getenv()));
    }

    private static String run(String script) throws Exception {
        Process process =
                new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    @Test
    void theDeviceHasTheAddressOfIpOverInfiniBand(SoftRoceDevice device) {
        assertThat(device.name()).isEqualTo("softib0");
        assertThat(device.address().getHostAddress()).isEqualTo("10.77.0.1");
    }

    @Test
    void thePortIsActiveAndTheManagerAnswers() throws Exception {
        assertThat(run("ibstat softib0")).contains("State: Active", "Link layer: InfiniBand");
        assertThat(run("saquery -p")).contains("PathRecord dump");
        assertThat(run("ibnetdiscover")).contains("\"node1 softib0\"", "\"node1 softib1\"");
        connect();
    }

    /** Where programs look for the network interface of an adapter. IPoIB says the parent's name to whoever asks. */
    @Test
    void theAdapterAndItsNetworkInterfaceHaveAParent() throws Exception {
        assertThat(run("ls /sys/class/infiniband/softib0/device/net")).isEqualTo("ib0\n");
        assertThat(run("readlink /sys/class/net/ib0/device")).contains("softib-veth0");
    }

    private static void connect() throws Exception {
        String unused = run("rping -s -C 2 & until rping -c -C 2 -a 10.77.0.1; do sleep 0.1; done; wait");
    }

    /** Frames at the other end of the link, and datagrams for the agents. The seed is in the output. */
    @Test
    void randomFramesAndDatagramsHarmNobody() throws Exception {
        long seed = System.nanoTime() & 0x7fffffff;
        Path program = Path.of(
                Objects.requireNonNull(getClass().getResource("../fuzz.pl")).toURI());
        String before = run("dmesg | grep -cE 'WARNING:|BUG:|Call Trace' || true");
        String output = run("perl " + program + " frames veth1 52:54:00:4d:00:01 5000 " + seed + " && perl " + program
                + " datagrams umad0 1000 " + seed);
        assertThat(run("dmesg | grep -cE 'WARNING:|BUG:|Call Trace' || true"))
                .as("seed %d: %s", seed, output)
                .isEqualTo(before);
        // A datagram may have set a key that only chance knows; the device forgets it with its end.
        String unused = run("kill -KILL $(cat /run/opensm/pid); rdma link del softib0; rdma link del softib1;"
                + " for i in 0 1; do rdma link add softib$i type softib netdev veth$i; done;"
                + " until grep -q INIT " + PORT + "; do sleep 0.1; done; sh /run/opensm/start;"
                + " until grep -q ACTIVE " + PORT + "; do sleep 0.1; done; ip -batch /run/rdma4j/ib0;"
                + " until grep -q 1 /sys/class/net/ib0/carrier; do sleep 0.1; done");
        connect();
    }
}
