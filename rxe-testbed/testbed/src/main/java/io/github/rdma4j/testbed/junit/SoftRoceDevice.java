// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The RDMA device of a test with {@link SoftRoce}, as a parameter of a test method or of a constructor.
 *
 * <pre>{@code
 * @SoftRoce
 * class DeviceSampleIT {
 *     @Test
 *     void thePortIsActive(SoftRoceDevice device) throws IOException {
 *         Path state = Path.of("/sys/class/infiniband", device.name(), "ports/1/state");
 *         assertEquals("4: ACTIVE", Files.readString(state).strip());
 *     }
 * }
 * }</pre>
 *
 * @param name the name of the device, such as {@code rxe0}
 * @param address the IPv4 address of the network interface of the device
 */
public record SoftRoceDevice(String name, InetAddress address) {
    private static final Path DEVICES = Path.of("/sys/class/infiniband");

    /** The first device of this kernel, by name. */
    static SoftRoceDevice first() {
        try (Stream<Path> devices = Files.list(DEVICES)) {
            Path device = devices.sorted()
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("this kernel has no RDMA device in " + DEVICES));
            return new SoftRoceDevice(device.getFileName().toString(), addressOf(device));
        } catch (IOException e) {
            throw new UncheckedIOException("this kernel has no RDMA devices, or RDMA is not loaded", e);
        }
    }

    private static InetAddress addressOf(Path device) throws IOException {
        String netdev = netdevOf(device);
        return NetworkInterface.getByName(netdev)
                .inetAddresses()
                .filter(Inet4Address.class::isInstance)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException(netdev + ", the interface of " + device + ", has no IPv4 address"));
    }

    private static String netdevOf(Path device) throws IOException {
        Path port = device.resolve("ports/1");
        if (!Files.readString(port.resolve("link_layer")).strip().equals("InfiniBand")) {
            return Files.readString(port.resolve("gid_attrs/ndevs/0")).strip();
        }
        // The hardware address of IPoIB ends with the GID of the port.
        String gid = Files.readString(port.resolve("gids/0")).strip().replace(":", "");
        try (DirectoryStream<Path> interfaces = Files.newDirectoryStream(Path.of("/sys/class/net"))) {
            for (Path each : interfaces) {
                String address = Files.readString(each.resolve("address")).strip();
                if (address.replace(":", "").endsWith(gid)) {
                    return each.getFileName().toString();
                }
            }
        }
        throw new IllegalStateException("no network interface has the GID of " + device);
    }
}
