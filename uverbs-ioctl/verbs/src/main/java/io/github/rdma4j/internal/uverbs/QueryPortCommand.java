// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/**
 * Asks for the attributes of a port.
 *
 * <pre>{@code
 * struct ib_uverbs_query_port {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_QUERY_PORT
 *     __aligned_u64 response;    //  0  unused when sent by INVOKE_WRITE
 *     __u8 port_num;             //  8  from 1
 *     __u8 reserved[7];          //  9
 * };                             // 16
 * }</pre>
 *
 * @param portNum the port, from 1
 */
@KernelStruct(value = "struct ib_uverbs_query_port", header = "rdma/ib_user_verbs.h")
public record QueryPortCommand(int portNum) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int PORT_NUM = 8;
        public static final int RESERVED = 9;
        public static final int BYTES = 16;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        StructFields.putU8(out, base + Layout.PORT_NUM, portNum);
        StructFields.zero(out, base + Layout.RESERVED, 7);
    }
}
