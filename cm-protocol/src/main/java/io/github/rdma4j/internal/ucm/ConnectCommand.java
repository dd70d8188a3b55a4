// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Sends a connection request, or a service resolution request for datagrams.
 *
 * <pre>{@code
 * struct rdma_ucm_connect {                   // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_CONNECT
 *     struct rdma_ucm_conn_param conn_param;  //   0  valid must be 1
 *     __u32 id;                               // 272
 *     __u32 reserved;                         // 276
 *     struct rdma_ucm_ece ece;                // 280  from Linux 5.8
 * };                                          // 288
 * }</pre>
 *
 * @param id the id
 * @param param the parameters
 * @param ece options of the driver
 */
@KernelStruct(value = "struct rdma_ucm_connect", header = "rdma/rdma_user_cm.h")
public record ConnectCommand(int id, ConnParam param, Ece ece) {
    public static final class Layout {
        public static final int CONN_PARAM = 0;
        public static final int ID = 272;
        public static final int RESERVED = 276;
        public static final int ECE = 280;
        public static final int BYTES = 288;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        param.encode(out, base + Layout.CONN_PARAM, true);
        out.putInt(base + Layout.ID, id);
        out.putInt(base + Layout.RESERVED, 0);
        EceBytes.encode(ece, out, base + Layout.ECE);
    }
}
