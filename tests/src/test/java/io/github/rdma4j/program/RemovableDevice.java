// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.Await;
import io.github.rdma4j.it.OpenResources;
import io.github.rdma4j.it.Program;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.util.List;

/** A soft-RoCE device that a test may take away and bring back. */
final class RemovableDevice implements AutoCloseable {
    static final String ADDRESS = "10.98.0.1";

    private static final String DEVICE = "rxe8";
    private static final String NETDEV = "veth8";

    private RemovableDevice() {}

    static RemovableDevice make() throws InterruptedException {
        Program.run("ip", "link", "add", NETDEV, "type", "veth", "peer", "name", NETDEV + "p");
        Program.run("ip", "address", "add", ADDRESS + "/24", "dev", NETDEV);
        Program.run("ip", "link", "set", NETDEV, "up");
        Program.run("ip", "link", "set", NETDEV + "p", "up");
        RemovableDevice device = new RemovableDevice();
        device.add();
        return device;
    }

    void add() throws InterruptedException {
        Program.run("rdma", "link", "add", DEVICE, "type", "rxe", "netdev", NETDEV);
        Await.until("the device has its address", RemovableDevice::canBind);
    }

    private static boolean canBind() {
        try (EventChannel channel = EventChannel.open()) {
            channel.createId(PortSpace.TCP).bind(new InetSocketAddress(ADDRESS, 0));
            return true;
        } catch (RdmaException notYet) {
            return false;
        }
    }

    /** Takes the device away, which the kernel does not finish before everybody has let go of it. */
    void remove() throws InterruptedException {
        try (Program deletion = Program.start("rdma", "link", "delete", DEVICE)) {
            deletion.success();
        }
        assertThat(Program.run("rdma", "link", "show")).doesNotContain(DEVICE);
        assertThat(verbsDescriptors()).isEmpty();
    }

    /** What this JVM has open of verbs devices. */
    static List<String> verbsDescriptors() {
        return OpenResources.now().stream()
                .filter(name -> !name.endsWith("/rdma_cm"))
                .toList();
    }

    @Override
    public void close() {
        try {
            Program.run("ip", "link", "delete", NETDEV); // takes the RDMA device along
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("deleting " + NETDEV, e);
        }
    }
}
