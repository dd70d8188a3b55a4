// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** The RDMA device of the guest, to be taken away and brought back. */
public final class Device {
    private static final Path SYSFS = Path.of("/sys/class/infiniband", Adapter.DEVICE);
    private static final Path PORT = SYSFS.resolve("ports/1");

    /** How the GIDs of the testbed's two addresses are written in sysfs. */
    private static final List<String> GIDS =
            List.of("0000:0000:0000:0000:0000:ffff:0a4d:0001", "fd77:0000:0000:0000:0000:0000:0000:0001");

    private static final int GID_TABLE = 16;

    private Device() {}

    /** Removes the device; returns when the kernel has notified all its users. */
    public static void remove() throws InterruptedException {
        Program.run("rdma", "link", "delete", Adapter.DEVICE);
        if (Adapter.IS_INFINIBAND) {
            // The other end of the link, which is a device of the guest as well.
            Program.run("rdma", "link", "delete", "softib1");
        }
        Await.until("the device is gone", () -> !Files.exists(SYSFS));
    }

    /** Plugs it in again: returns when its port is active and has both addresses. */
    public static void add() throws InterruptedException {
        if (Adapter.IS_INFINIBAND) {
            addInfiniBand();
            return;
        }
        Program.run("rdma", "link", "add", Adapter.DEVICE, "type", "rxe", "netdev", Adapter.NETDEV);
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
        Path carrier = Path.of("/sys/class/net", Adapter.NETDEV, "carrier");
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
