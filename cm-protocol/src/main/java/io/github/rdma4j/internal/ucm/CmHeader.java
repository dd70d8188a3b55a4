// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/**
 * The header of every command; the body follows it.
 *
 * <pre>{@code
 * struct rdma_ucm_cmd_hdr {  // uapi/rdma/rdma_user_cm.h
 *     __u32 cmd;             // 0  RDMA_USER_CM_CMD_*
 *     __u16 in;              // 4  bytes of the body
 *     __u16 out;             // 6  bytes of the reply buffer, 0 if none
 * };                         // 8
 * }</pre>
 *
 * @param command {@code RDMA_USER_CM_CMD_*}
 * @param in bytes of the body, which this header is no part of
 * @param out bytes of the reply buffer, 0 if none
 */
@KernelStruct(value = "struct rdma_ucm_cmd_hdr", header = "rdma/rdma_user_cm.h")
public record CmHeader(int command, int in, int out) {
    public static final class Layout {
        public static final int CMD = 0;
        public static final int IN = 4;
        public static final int OUT = 6;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code buffer} must be in native order. */
    public void encode(ByteBuffer buffer, int base) {
        buffer.putInt(base + Layout.CMD, command);
        StructFields.putU16(buffer, base + Layout.IN, in);
        StructFields.putU16(buffer, base + Layout.OUT, out);
    }
}
