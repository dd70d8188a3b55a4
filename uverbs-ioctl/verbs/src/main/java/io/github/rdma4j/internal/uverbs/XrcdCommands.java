// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** Opens and closes XRC domains. */
public final class XrcdCommands {
    public static final int NO_FILE = -1;
    public static final int O_CREAT = 0x40;
    public static final int O_EXCL = 0x80;

    private XrcdCommands() {}

    /**
     * Opens an XRC domain.
     *
     * <pre>{@code
     * struct ib_uverbs_open_xrcd {        // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_OPEN_XRCD
     *     __aligned_u64 response;         //  0  unused when sent by INVOKE_WRITE
     *     __u32 fd;                       //  8  a file whose inode names the domain; -1 for a domain without a name
     *     __u32 oflags;                   // 12  O_CREAT, O_EXCL
     * };                                  // 16
     * }</pre>
     *
     * @param fd a descriptor of the file, {@link XrcdCommands#NO_FILE} without one
     * @param oflags {@link XrcdCommands#O_CREAT} and {@link XrcdCommands#O_EXCL}
     */
    @KernelStruct(value = "struct ib_uverbs_open_xrcd", header = "rdma/ib_user_verbs.h")
    public record OpenCommand(int fd, int oflags) {
        public static final int RESPONSE = 0;
        public static final int FD = 8;
        public static final int OFLAGS = 12;
        public static final int BYTES = 16;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putLong(base + RESPONSE, 0);
            out.putInt(base + FD, fd);
            out.putInt(base + OFLAGS, oflags);
        }
    }

    /**
     * An open XRC domain.
     *
     * <pre>{@code
     * struct ib_uverbs_open_xrcd_resp {   // uapi/rdma/ib_user_verbs.h
     *     __u32 xrcd_handle;              // 0
     * };                                  // 4
     * }</pre>
     *
     * @param xrcdHandle the kernel's handle
     */
    @KernelStruct(value = "struct ib_uverbs_open_xrcd_resp", header = "rdma/ib_user_verbs.h")
    public record OpenReply(int xrcdHandle) {
        public static final int XRCD_HANDLE = 0;
        public static final int BYTES = 4;

        /** Reads the reply at {@code base} of a buffer in native order. */
        public static OpenReply decode(ByteBuffer in, int base) {
            return new OpenReply(in.getInt(base + XRCD_HANDLE));
        }
    }

    /**
     * Closes an XRC domain.
     *
     * <pre>{@code
     * struct ib_uverbs_close_xrcd {       // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_CLOSE_XRCD
     *     __u32 xrcd_handle;              // 0
     * };                                  // 4
     * }</pre>
     *
     * @param xrcdHandle the XRC domain
     */
    @KernelStruct(value = "struct ib_uverbs_close_xrcd", header = "rdma/ib_user_verbs.h")
    public record CloseCommand(int xrcdHandle) {
        public static final int XRCD_HANDLE = 0;
        public static final int BYTES = 4;

        /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
        public void encode(ByteBuffer out, int base) {
            out.putInt(base + XRCD_HANDLE, xrcdHandle);
        }
    }
}
