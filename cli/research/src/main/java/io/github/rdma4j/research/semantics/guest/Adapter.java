// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.guest;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The RDMA device of the guest, and the addresses of its network: soft-RoCE, or InfiniBand in software if the guest has
 * that.
 */
public final class Adapter {
    /** Whether the link layer of the device is InfiniBand. */
    public static final boolean IS_INFINIBAND = Files.exists(Path.of("/sys/class/infiniband/softib0"));

    public static final String DEVICE = IS_INFINIBAND ? "softib0" : "rxe0";

    /** The netdev that has the addresses. */
    public static final String NETDEV = IS_INFINIBAND ? "ib0" : "veth0";

    public static final String IPV4 = "10.77.0.1";
    public static final String IPV6 = "fd77::1";

    /** An address of the device's network that no machine has. */
    public static final String SILENT = "10.77.0.99";

    /** An address of the device's network that no machine has, but whose neighbour {@link #deafen} tells. */
    public static final String DEAF = "10.77.0.98";

    private static final AtomicInteger PORTS = new AtomicInteger(20_000);

    private Adapter() {}

    /** A port that was not returned before. */
    public static int newPort() {
        return PORTS.incrementAndGet();
    }

    /** The device's IPv4 address with a new port. */
    public static InetSocketAddress newAddress() {
        return new InetSocketAddress(IPV4, newPort());
    }

    /** The device as the kernel lists it. */
    public static RdmaDevice device() throws RdmaException {
        return RdmaDevices.find(Kernel.running(), DEVICE);
    }

    /** A hardware address of the netdev's kind that no machine has; numbers from 0 to 99. */
    private static String strangeHardware(int number) {
        String ethernet = String.format("02:00:00:00:00:%02d", number);
        // The number of a queue pair and a GID.
        return IS_INFINIBAND ? "80:00:00:99:fe:80:00:00:00:00:00:00:02:00:" + ethernet : ethernet;
    }

    /** Gives an address on the netdev a permanent neighbour: this number's {@link #strangeHardware}. */
    public static void neighbour(String address, int number) throws InterruptedException {
        Program.run("ip", "neighbour", "replace", address, "lladdr", strangeHardware(number), "dev", NETDEV);
    }

    /** Makes ARP succeed for {@link #DEAF}, so that the packets to it are lost. */
    public static void deafen() throws InterruptedException {
        neighbour(DEAF, 98);
    }
}
