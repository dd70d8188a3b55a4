// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/**
 * RDMA netlink as strace(1) saw it between {@code ibv_devices}, {@code rdma system} and Linux 6.1 with one rxe device;
 * sequence numbers are those that {@code RdmaNetlink} gives, port numbers are zero. x86-64 byte order.
 */
public final class Captured {
    public static final byte[] GET_REQUEST = hex("10000000 0114 0503 01000000 00000000");

    /** Index 0, rxe0, one port, CA, roce; CAP_FLAGS, SYS_IMAGE_GUID and DEV_DIM are skipped. */
    public static final byte[] RXE0 = hex("""
            6c000000 0114 0200 01000000 00000000
            0800 0100 00000000
            0900 0200 7278653000 000000
            0800 0300 01000000
            0c00 0400 763c220100000000
            0c00 0600 d6d6cafeffac45e0
            0c00 0700 d6d6cafeffac45e0
            0500 0e00 01 000000
            0500 5400 00 000000
            0900 4300 726f636500 000000
            """);

    public static final byte[] DONE = hex("14000000 0300 0200 01000000 00000000 00000000");

    public static final byte[] UVERBS_REQUEST = hex("""
            24000000 0f14 0100 02000000 00000000
            0800 0100 00000000
            0b00 4500 75766572627300 00
            """);

    /** Driver 14, device number 231:192, driver ABI 2, uverbs0. */
    public static final byte[] UVERBS0 = hex("""
            3c000000 0f14 0000 02000000 00000000
            0800 4900 0e000000
            0c00 4800 c0e7000000000000
            0c00 4700 0200000000000000
            0c00 4600 7576657262733000
            """);

    public static final byte[] SYSTEM_REQUEST = hex("10000000 0614 0100 01000000 00000000");

    public static final byte[] SYSTEM = hex("""
            20000000 0614 0000 01000000 00000000
            0500 4200 01 000000
            0500 5d00 01 000000
            """);

    private Captured() {}

    public static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replaceAll("\\s", ""));
    }

    /** The answer ERROR with this error number to the request with this sequence number. */
    public static byte[] error(int sequence, int errno) {
        byte[] bytes = hex("24000000 0200 0000 00000000 00000000 00000000 10000000 0114 0503 01000000 00000000");
        bytes[8] = (byte) sequence;
        int result = -errno;
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[16 + i] = (byte) (result >> (Byte.SIZE * i));
        }
        return bytes;
    }

    public static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
