// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/**
 * The header of a command sent by write(2).
 *
 * <pre>{@code
 * struct ib_uverbs_cmd_hdr {  // uapi/rdma/ib_user_verbs.h
 *     __u32 command;          // 0  IB_USER_VERBS_CMD_*
 *     __u16 in_words;         // 4  32-bit words of the whole write, this header included
 *     __u16 out_words;        // 6  32-bit words of the response buffer, 0 if none
 * };                          // 8
 * }</pre>
 *
 * @param command {@code IB_USER_VERBS_CMD_*}
 * @param inWords 32-bit words of the whole write, this header included
 * @param outWords 32-bit words of the response buffer, 0 if none
 */
@KernelStruct(value = "struct ib_uverbs_cmd_hdr", header = "rdma/ib_user_verbs.h")
public record WriteHeader(int command, int inWords, int outWords) {
    public static final class Layout {
        public static final int COMMAND = 0;
        public static final int IN_WORDS = 4;
        public static final int OUT_WORDS = 6;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        encode(out, base, command, inWords);
        StructFields.putU16(out, base + Layout.OUT_WORDS, outWords);
    }

    /** The header of a command without a response, without an object. */
    public static void encode(ByteBuffer out, int base, int command, int inWords) {
        out.putInt(base + Layout.COMMAND, command);
        StructFields.putU16(out, base + Layout.IN_WORDS, inWords);
        StructFields.putU16(out, base + Layout.OUT_WORDS, 0);
    }
}
