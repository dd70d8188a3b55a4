// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The link of a guest of a group to the other guests.
 *
 * @param node its number, from 1
 * @param ports the number of its connections to the virtual Ethernet: one for each port of its RDMA device
 * @param ethernet the socket of the virtual Ethernet under its RDMA device
 * @param control the socket of the virtual Ethernet over which commands for other nodes travel
 */
public record NodeLink(int node, int ports, Path ethernet, Path control) {
    /** The largest number of nodes; two cores run no more. */
    public static final int MOST_NODES = 8;

    /** The largest number of ports of a node. */
    public static final int MOST_PORTS = 2;

    /** By so much the station of a node's second port differs from that of its first, which is the node's number. */
    private static final int STATIONS_APART = 10;

    private static final int CONTROL = 1;

    /**
     * The number of a port of a node on the Ethernet, which is also the number of the port of a switch at the other end
     * of its link.
     */
    public static int station(int node, int port) {
        return node + (port - 1) * STATIONS_APART;
    }

    /** The node of a station. */
    static int nodeOf(int station) {
        return station % STATIONS_APART;
    }

    /** The words for the kernel of a guest whose device has so many ports. */
    public static List<String> kernelArguments(int ports) {
        return ports == 1 ? List.of() : List.of("rdma4j.ports=" + ports);
    }

    /**
     * The addresses of the devices that become {@code eth0} and {@code eth1} in the guest; {@code agent.pl} finds them
     * by these.
     */
    public List<String> ethernetMacs() {
        return ports == 1 ? List.of(mac(network(1))) : List.of(mac(network(1)), mac(network(2)));
    }

    /** The address of the device that becomes {@code ctl0}. */
    public String controlMac() {
        return mac(CONTROL);
    }

    /** The station with this address on the Ethernet; 0 if no station has the address. */
    static int stationOf(byte[] bytes, int offset) {
        for (int node = 1; node <= MOST_NODES; node++) {
            for (int port = 1; port <= MOST_PORTS; port++) {
                byte[] address = {0x52, 0x54, 0x00, 0x4d, (byte) network(port), (byte) node};
                if (Arrays.equals(bytes, offset, offset + address.length, address, 0, address.length)) {
                    return station(node, port);
                }
            }
        }
        return 0;
    }

    /** The byte for a port in the addresses; that between them is the control network's. */
    private static int network(int port) {
        return port == 1 ? 0 : CONTROL + 1;
    }

    private String mac(int network) {
        return String.format("52:54:00:4d:%02x:%02x", network, node);
    }
}
