// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace.wire;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** GIDs and IP addresses of 16 bytes as text. */
final class Gids {
    static final int BYTES = 16;
    private static final int IPV4_BYTES = 4;
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private Gids() {}

    /** A GID that stands for an IPv4 address is shown with it. */
    static String text(byte[] gid) {
        boolean isMapped = Arrays.equals(gid, 0, MAPPED.length, MAPPED, 0, MAPPED.length);
        return isMapped ? "::ffff:" + address(gid, IPV4_BYTES) : address(gid, 0);
    }

    /** An IPv4 address of four bytes. */
    static String ipv4(byte[] address) {
        return (address[0] & 0xff) + "." + (address[1] & 0xff) + "." + (address[2] & 0xff) + "." + (address[3] & 0xff);
    }

    /** An address of which an IPv4 address is the last four bytes. */
    static String address(byte[] bytes, int version) {
        byte[] address = version == IPV4_BYTES ? Arrays.copyOfRange(bytes, BYTES - IPV4_BYTES, BYTES) : bytes;
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new AssertionError("4 or 16 bytes are an address", e);
        }
    }
}
