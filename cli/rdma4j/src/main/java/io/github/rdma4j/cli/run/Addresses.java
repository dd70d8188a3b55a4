// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The addresses on the command line. */
public final class Addresses {
    private Addresses() {}

    /**
     * Resolves a host name; blocks during the lookup.
     *
     * @throws RdmaException if the name has no address
     */
    public static InetAddress resolve(String name) throws RdmaException {
        try {
            return InetAddress.getByName(name);
        } catch (UnknownHostException e) {
            throw new RdmaException("no address for " + name + ": the name is not known here", e);
        }
    }

    /** The address of a host, or of every address of this machine if it is null, with a port. */
    public static InetSocketAddress resolve(@Nullable String host, int port) throws RdmaException {
        return host == null ? new InetSocketAddress(port) : new InetSocketAddress(resolve(host), port);
    }

    /** The IP addresses of a network interface. The JDK does not list an interface without addresses. */
    public static List<InetAddress> ofInterface(String name) {
        try {
            NetworkInterface netdev = NetworkInterface.getByName(name);
            return netdev == null ? List.of() : Collections.list(netdev.getInetAddresses());
        } catch (SocketException wentAway) {
            return List.of();
        }
    }

    /** The failure to resolve the host in an option. */
    public static RdmaException unknown(String option, @Nullable String host, UnknownHostException failure) {
        // the message is the name if the failure was cached, or begins with the name
        String reason = String.valueOf(failure.getMessage());
        String named = host + ": ";
        if (reason.equals(host)) {
            reason = "the name is not known here";
        } else if (reason.startsWith(named)) {
            reason = reason.substring(named.length());
        }
        return new RdmaException(option + " " + named + reason, failure);
    }

    /** Returns the failure, explained if {@code destination} is a loopback address, for which no device exists. */
    public static RdmaException explain(@Nullable SocketAddress destination, RdmaException failure) {
        InetAddress address = destination instanceof InetSocketAddress ip ? ip.getAddress() : null;
        boolean noDevice = Failures.isCausedBy(failure, Set.of(Errno.ENODEV))
                || String.valueOf(failure.getMessage()).contains("ENODEV");
        if (address == null || !address.isLoopbackAddress() || !noDevice) {
            return failure;
        }
        return new RdmaException(
                "no RDMA device has the loopback address " + address.getHostAddress()
                        + ": to reach this host by RDMA, name the address of the device, which ./rdma4j doctor shows",
                failure);
    }
}
