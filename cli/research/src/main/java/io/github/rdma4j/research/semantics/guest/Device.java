// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** The soft-RoCE device of the guest, to be taken away and brought back. */
public final class Device {
    private static final Path SYSFS = Path.of("/sys/class/infiniband", Rxe.DEVICE);
    private static final Path PORT = SYSFS.resolve("ports/1");

    /** How the GIDs of the testbed's two addresses are written in sysfs. */
    private static final List<String> GIDS =
            List.of("0000:0000:0000:0000:0000:ffff:0a4d:0001", "fd77:0000:0000:0000:0000:0000:0000:0001");

    private static final int GID_TABLE = 16;

    private Device() {}

    /** Removes the device; returns when the kernel has notified all its users. */
    public static void remove() throws InterruptedException {
        Program.run("rdma", "link", "delete", Rxe.DEVICE);
        Await.until("the device is gone", () -> !Files.exists(SYSFS));
    }

    /** Plugs it in again: returns when its port is active and has both addresses. */
    public static void add() throws InterruptedException {
        Program.run("rdma", "link", "add", Rxe.DEVICE, "type", "rxe", "netdev", Rxe.NETDEV);
        Await.until("the device is ready", () -> read(PORT.resolve("state")).contains("ACTIVE") && hasGids());
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
