// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An RDMA device of this machine, with an IPv4 address.
 *
 * @param address the address of one of its GIDs, or of its IP over InfiniBand
 * @param gidIndex the index of the GID
 */
public record RdmaAddress(RdmaDevice device, InetAddress address, int gidIndex) {
    /** Returns the first device with an address: a RoCE device, or one of InfiniBand if there is none. */
    public static RdmaAddress first() throws RdmaException {
        return roce().or(RdmaAddress::infiniBand)
                .orElseThrow(() -> new RdmaException(
                        "no RDMA device with an IPv4 address; ./rdma4j doctor says what is missing",
                        new ErrnoException("looking for an RDMA device", Errno.ENODEV)));
    }

    private static Optional<RdmaAddress> roce() throws RdmaException {
        Kernel kernel = Kernel.running();
        for (RdmaDevice device : RdmaDevices.list(kernel)) {
            try (DeviceContext context = DeviceContext.open(kernel, device)) {
                for (GidEntry entry : context.queryGids()) {
                    Gid gid = entry.gid();
                    if (gid.isV4Mapped()) {
                        return Optional.of(new RdmaAddress(device, gid.toAddress(), entry.gidIndex()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** The GIDs of InfiniBand say nothing of addresses. */
    private static Optional<RdmaAddress> infiniBand() {
        return all(Kernel.running(), address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .stream()
                .findFirst();
    }

    /** The wanted addresses of this machine for which the connection manager of {@code kernel} finds a device. */
    public static List<RdmaAddress> all(Kernel kernel, Predicate<InetAddress> wanted) {
        try (EventChannel channel = EventChannel.open(kernel)) {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(wanted)
                    .flatMap(address -> at(channel, address).stream())
                    .toList();
        } catch (RdmaException | SocketException none) {
            return List.of();
        }
    }

    private static Optional<RdmaAddress> at(EventChannel channel, InetAddress address) {
        try (CmId id = channel.createId(PortSpace.TCP)) {
            id.bind(new InetSocketAddress(address, 0));
            return id.hasDevice() ? Optional.of(new RdmaAddress(id.context().device(), address, 0)) : Optional.empty();
        } catch (RdmaException noDevice) {
            return Optional.empty();
        }
    }
}
