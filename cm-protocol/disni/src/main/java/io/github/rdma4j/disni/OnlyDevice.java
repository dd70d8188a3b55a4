// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The device of an id that is bound to every address. The connection manager gives it none, and DiSNI's server endpoints need one for
 * their protection domain: where the machine has one device, it is that.
 */
final class OnlyDevice {
    private static final System.Logger LOG = System.getLogger("io.github.rdma4j.disni");

    private OnlyDevice() {}

    /** Keeps a device open, and returns the same object for the same device. */
    @FunctionalInterface
    interface Keeper<T> {
        T of(DeviceContext device) throws IOException;
    }

    /** What {@code keeper} makes of the device; null if there is none, or more than one. */
    static <T> @Nullable T by(Keeper<T> keeper) throws IOException {
        Set<T> found = new HashSet<>();
        List<NetworkInterface> interfaces = NetworkInterface.networkInterfaces().toList();
        try (EventChannel events = EventChannel.open()) {
            for (NetworkInterface each : interfaces) {
                for (InetAddress address : each.inetAddresses().toList()) {
                    find(events, address, keeper).ifPresent(found::add);
                }
            }
        }
        if (found.size() != 1) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "an id is bound to every address, and has no device, because this machine has {0} with an address;"
                            + " bind it to the address of one",
                    found.size());
        }
        return found.size() == 1 ? found.iterator().next() : null;
    }

    private static <T> Optional<T> find(EventChannel events, InetAddress address, Keeper<T> keeper) throws IOException {
        if (address.isLoopbackAddress()) {
            return Optional.empty();
        }
        try (CmId probe = events.createId(PortSpace.TCP)) {
            return isBound(probe, address) && probe.hasDevice()
                    ? Optional.of(keeper.of(probe.context()))
                    : Optional.empty();
        }
    }

    private static boolean isBound(CmId probe, InetAddress address) {
        try {
            probe.bind(new InetSocketAddress(address, 0));
            return true;
        } catch (RdmaException e) {
            // The address of no device.
            return false;
        }
    }
}
