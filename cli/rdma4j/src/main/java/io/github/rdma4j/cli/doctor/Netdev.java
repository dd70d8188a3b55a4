// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.List;

/**
 * A network interface of this network namespace.
 *
 * @param up whether it is up
 * @param mtu bytes of the largest packet, 0 when unknown
 * @param addresses its IP addresses
 */
record Netdev(boolean up, int mtu, List<InetAddress> addresses) {
    /** The IP addresses of an interface. The JDK knows no interface without one. */
    static List<InetAddress> addressesOf(String name) {
        try {
            NetworkInterface netdev = NetworkInterface.getByName(name);
            return netdev == null ? List.of() : Collections.list(netdev.getInetAddresses());
        } catch (SocketException wentAway) {
            return List.of();
        }
    }
}
