// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.kernel;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The RDMA device of the guest, which can be taken away and brought back, and the addresses of its network: soft-RoCE, or
 * InfiniBand in software if the guest has that.
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

    private static final Path SYSFS = Path.of("/sys/class/infiniband", Adapter.DEVICE);
    private static final Path PORT = SYSFS.resolve("ports/1");

    /** How the GIDs of the testbed's two addresses are written in sysfs. */
    private static final List<String> GIDS =
            List.of("0000:0000:0000:0000:0000:ffff:0a4d:0001", "fd77:0000:0000:0000:0000:0000:0000:0001");

    private static final int GID_TABLE = 16;

    /**
     * Below the ports that the kernel chooses, from 32 768 on, with room for the 3000 of a whole recording; two processes
     * of one guest, started one after the other, differ.
     */
    private static final AtomicInteger PORTS =
            new AtomicInteger(21_000 + (int) (ProcessHandle.current().pid() % 17) * 500);

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

    public static boolean exists() {
        return Files.exists(SYSFS);
    }

    /** Removes the device; returns when the kernel has notified all its users. */
    public static void remove() throws InterruptedException {
        Program.run("rdma", "link", "delete", DEVICE);
        if (IS_INFINIBAND) {
            // The other end of the link, which is a device of the guest as well.
            Program.run("rdma", "link", "delete", "softib1");
        }
        Await.until("the device is gone", () -> !exists());
    }

    /** Plugs it in again: returns when its port is active and has both addresses. */
    public static void add() throws InterruptedException {
        if (IS_INFINIBAND) {
            addInfiniBand();
            return;
        }
        Program.run("rdma", "link", "add", DEVICE, "type", "rxe", "netdev", NETDEV);
        Await.until("the device is ready", () -> state().contains("ACTIVE") && hasGids());
    }

    /** A manager is bound to the port that it was started on, and IPoIB has no addresses by itself. */
    private static void addInfiniBand() throws InterruptedException {
        for (String number : List.of("0", "1")) {
            Program.run("rdma", "link", "add", "softib" + number, "type", "softib", "netdev", "veth" + number);
        }
        SubnetManager.kill();
        Await.until("the link is up", () -> state().contains("INIT"));
        SubnetManager.start();
        Await.until("the port is active", () -> state().contains("ACTIVE"));
        Program.run("ip", "-batch", "/run/rdma4j/ib0");
        Path carrier = Path.of("/sys/class/net", NETDEV, "carrier");
        Await.until("IPoIB has joined its group", () -> read(carrier).equals("1"));
    }

    private static String state() {
        return read(PORT.resolve("state"));
    }

    private static boolean hasGids() {
        List<String> gids = IntStream.range(0, GID_TABLE)
                .mapToObj(index -> read(PORT.resolve("gids").resolve(Integer.toString(index))))
                .toList();
        return gids.containsAll(GIDS);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException notYet) {
            return "";
        }
    }
}
