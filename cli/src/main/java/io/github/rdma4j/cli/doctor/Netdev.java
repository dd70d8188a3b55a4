// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A network interface of this network namespace.
 *
 * @param up whether it is up
 * @param mtu bytes of the largest packet
 * @param addresses its IP addresses
 */
record Netdev(boolean up, int mtu, List<InetAddress> addresses) {
    /** The interface of that name; empty when this namespace has none. */
    static Optional<Netdev> find(String name) {
        try {
            NetworkInterface netdev = NetworkInterface.getByName(name);
            return netdev == null
                    ? Optional.empty()
                    : Optional.of(
                            new Netdev(netdev.isUp(), netdev.getMTU(), Collections.list(netdev.getInetAddresses())));
        } catch (SocketException wentAway) {
            return Optional.empty();
        }
    }
}
