// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts a connection request; without parameters, completes a connection that the peer has accepted.
 *
 * <pre>{@code
 * struct rdma_ucm_accept {                    // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_ACCEPT
 *     __aligned_u64 uid;                      //   0  not read when conn_param.valid is 0
 *     struct rdma_ucm_conn_param conn_param;  //   8  valid 1 to reply to a request, 0 to complete
 *     __u32 id;                               // 280
 *     __u32 reserved;                         // 284
 *     struct rdma_ucm_ece ece;                // 288  from Linux 5.8
 * };                                          // 296
 * }</pre>
 *
 * @param id the id
 * @param uid echoed in the events of the id from now on, not 0
 * @param param the parameters of the reply, null to complete a connection
 * @param ece options of the driver
 */
@KernelStruct(value = "struct rdma_ucm_accept", header = "rdma/rdma_user_cm.h")
public record AcceptCommand(int id, long uid, @Nullable ConnParam param, Ece ece) {
    public static final class Layout {
        public static final int UID = 0;
        public static final int CONN_PARAM = 8;
        public static final int ID = 280;
        public static final int RESERVED = 284;
        public static final int ECE = 288;
        public static final int BYTES = 296;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putLong(base + Layout.UID, uid);
        if (param == null) {
            StructFields.zero(out, base + Layout.CONN_PARAM, ConnParam.Layout.BYTES);
        } else {
            param.encode(out, base + Layout.CONN_PARAM, true);
        }
        out.putInt(base + Layout.ID, id);
        out.putInt(base + Layout.RESERVED, 0);
        EceBytes.encode(ece, out, base + Layout.ECE);
    }
}
