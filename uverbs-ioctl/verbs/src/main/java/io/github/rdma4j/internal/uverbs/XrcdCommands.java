// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** Opens XRC domains. */
public final class XrcdCommands {
    public static final int NO_FILE = -1;
    public static final int O_CREAT = 0x40;
    public static final int O_EXCL = 0x80;

    private XrcdCommands() {}

    /**
     * Opens an XRC domain.
     *
     * @param fd a descriptor of the file, {@link XrcdCommands#NO_FILE} without one
     * @param oflags {@link XrcdCommands#O_CREAT} and {@link XrcdCommands#O_EXCL}
     */
    @KernelStruct(value = "struct ib_uverbs_open_xrcd", header = "rdma/ib_user_verbs.h")
    public record OpenCommand(int fd, int oflags) {
        public static final int FD = 8; // __u32: a file whose inode names the domain; -1 for a domain without a name
        public static final int OFLAGS = 12; // __u32: O_CREAT, O_EXCL
        public static final int BYTES = 16;

        /** Writes the command at {@code base} of zeros in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putInt(base + FD, fd);
            out.putInt(base + OFLAGS, oflags);
        }
    }
}
