// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import java.nio.file.Path;
import java.util.Arrays;

/**
 * The link of a guest of a group to the other guests.
 *
 * @param node its number, from 1
 * @param ethernet the socket of the virtual Ethernet under its RDMA device
 * @param control the socket of the virtual Ethernet over which commands for other nodes travel
 */
public record NodeLink(int node, Path ethernet, Path control) {
    /** The largest number of nodes; two cores run no more. */
    public static final int MOST_NODES = 8;

    private static final int ETHERNET = 0;
    private static final int CONTROL = 1;

    /** The address of the device that becomes {@code eth0} in the guest; {@code agent.pl} finds it by this. */
    public String ethernetMac() {
        return mac(ETHERNET);
    }

    /** The address of the device that becomes {@code ctl0}. */
    public String controlMac() {
        return mac(CONTROL);
    }

    /** The number of the node with this address on the Ethernet; 0 if no node has the address. */
    static int nodeOf(byte[] bytes, int offset) {
        for (int node = 1; node <= MOST_NODES; node++) {
            byte[] address = {0x52, 0x54, 0x00, 0x4d, ETHERNET, (byte) node};
            if (Arrays.equals(bytes, offset, offset + address.length, address, 0, address.length)) {
                return node;
            }
        }
        return 0;
    }

    private String mac(int network) {
        return String.format("52:54:00:4d:%02x:%02x", network, node);
    }
}
