// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.internal.testkit.VerbsObjects;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** The RDMA device of the model: its name, numbers and addresses, and its verbs objects. */
final class ModelDevice {
    static final String NAME = "rxe0";
    static final String UVERBS_NODE = "uverbs0";
    static final String CM_NODE = "rdma_cm";
    static final long UVERBS_NUMBER = 231L << 8 | 192;
    static final long CM_NUMBER = 10L << 8 | 124;
    static final long NODE_GUID = 0x5054_00ff_fe12_3456L;
    static final int INDEX = 0;
    static final int PORT = 1;

    private static final int GID_BYTES = 16;
    private static final int IPV4_GID_INDEX = 3;
    private static final int IPV6_GID_INDEX = 5;
    private static final int IPV4_NETWORK = 3;
    private static final int IPV6_NETWORK = 8;

    static final InetAddress IPV4 = address(new byte[] {10, 77, 0, 1});
    static final InetAddress IPV6 = address(new byte[] {(byte) 0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});

    private final VerbsObjects objects = new VerbsObjects();
    private boolean removed;

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 or 16 bytes are an address", e);
        }
    }

    VerbsObjects objects() {
        return objects;
    }

    boolean isRemoved() {
        return removed;
    }

    /**
     * Removes the device. Soft-RoCE removes a device only after all files are closed, so its objects can still be
     * destroyed.
     */
    void remove() {
        removed = true;
    }

    boolean has(InetAddress address) {
        return !removed && List.of(IPV4, IPV6).contains(address);
    }

    /** True if the address is on the network of the device. */
    static boolean isNear(InetAddress address) {
        boolean four = address instanceof Inet4Address;
        int length = four ? IPV4_NETWORK : IPV6_NETWORK;
        byte[] own = (four ? IPV4 : IPV6).getAddress();
        return Arrays.equals(Arrays.copyOf(own, length), Arrays.copyOf(address.getAddress(), length));
    }

    static InetAddress own(InetAddress sameFamily) {
        return sameFamily instanceof Inet4Address ? IPV4 : IPV6;
    }

    /**
     * The index of the RoCE v2 GID of an address: it follows the GIDs of a link-local address, and each address has a
     * GID of both versions.
     */
    static byte gidIndex(InetAddress own) {
        return (byte) (own instanceof Inet4Address ? IPV4_GID_INDEX : IPV6_GID_INDEX);
    }

    /** Writes the GID of an address. */
    static void putGid(ByteBuffer out, int base, InetAddress address) {
        byte[] bytes = address.getAddress();
        byte[] gid = new byte[GID_BYTES];
        if (bytes.length < GID_BYTES) {
            gid[10] = (byte) 0xff;
            gid[11] = (byte) 0xff;
        }
        System.arraycopy(bytes, 0, gid, GID_BYTES - bytes.length, bytes.length);
        out.put(base, gid);
    }
}
