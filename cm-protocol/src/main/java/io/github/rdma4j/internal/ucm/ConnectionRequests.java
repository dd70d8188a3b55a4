// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.ucm.ConnParam.PrivateData;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The commands that set up, reject and end a connection. */
public final class ConnectionRequests {
    private ConnectionRequests() {}

    /** Listens for connection requests. */
    @KernelStruct(value = "struct rdma_ucm_listen", header = "rdma/rdma_user_cm.h")
    public record ListenCommand(int id, int backlog) {
        public static final int ID = 0; // __u32
        public static final int BACKLOG = 4; // __u32: the maximum number of unread requests; 0 for the system's maximum
        public static final int BYTES = 8;

        public void encode(ByteBuffer out, int base) {
            out.putInt(base + ID, id);
            out.putInt(base + BACKLOG, backlog);
        }
    }

    /** Sends a connection request, or a service resolution request for datagrams. */
    @KernelStruct(value = "struct rdma_ucm_connect", header = "rdma/rdma_user_cm.h")
    public record ConnectCommand(int id, ConnParam param, Ece ece) {
        public static final int CONN_PARAM = 0; // struct rdma_ucm_conn_param: valid must be 1
        public static final int ID = 272; // __u32
        public static final int RESERVED = 276; // __u32
        public static final int ECE = 280; // struct rdma_ucm_ece: options of the driver; from Linux 5.8
        public static final int BYTES = 288;

        public void encode(ByteBuffer out, int base) {
            param.encode(out, base + CONN_PARAM, true);
            out.putInt(base + ID, id);
            out.putInt(base + RESERVED, 0);
            EceBytes.encode(ece, out, base + ECE);
        }
    }

    /** Accepts a connection request; without parameters, completes a connection that the peer has accepted. */
    @KernelStruct(value = "struct rdma_ucm_accept", header = "rdma/rdma_user_cm.h")
    public record AcceptCommand(int id, long uid, @Nullable ConnParam param, Ece ece) {
        // __aligned_u64: echoed in later events, not 0; not read when conn_param.valid is 0
        public static final int UID = 0;
        // struct rdma_ucm_conn_param: valid 1 to reply to a request, 0 to complete
        public static final int CONN_PARAM = 8;
        public static final int ID = 280; // __u32
        public static final int RESERVED = 284; // __u32
        public static final int ECE = 288; // struct rdma_ucm_ece: options of the driver; from Linux 5.8
        public static final int BYTES = 296;

        public void encode(ByteBuffer out, int base) {
            out.putLong(base + UID, uid);
            if (param == null) {
                StructFields.zero(out, base + CONN_PARAM, ConnParam.BYTES);
            } else {
                param.encode(out, base + CONN_PARAM, true);
            }
            out.putInt(base + ID, id);
            out.putInt(base + RESERVED, 0);
            EceBytes.encode(ece, out, base + ECE);
        }
    }

    /** Rejects a connection request. */
    @KernelStruct(value = "struct rdma_ucm_reject", header = "rdma/rdma_user_cm.h")
    @SuppressWarnings("ArrayRecordComponent") // copied, and never compared
    public record RejectCommand(int id, byte[] privateData, int reason) {
        public static final int ID = 0; // __u32
        public static final int PRIVATE_DATA_LEN = 4; // __u8
        public static final int REASON = 5; // __u8: IB_CM_REJ_* that the kernel accepts; 0 for the default
        public static final int RESERVED = 6; // __u8[2]
        // __u8[RDMA_MAX_PRIVATE_DATA]: 256 bytes; the message limits the length further
        public static final int PRIVATE_DATA = 8;
        public static final int BYTES = 264;

        /** Copies the private data. */
        public RejectCommand {
            privateData = PrivateData.copy(privateData);
        }

        public void encode(ByteBuffer out, int base) {
            out.putInt(base + ID, id);
            PrivateData.encode(out, base + PRIVATE_DATA, base + PRIVATE_DATA_LEN, privateData);
            StructFields.putU8(out, base + REASON, reason);
            out.putShort(base + RESERVED, (short) 0);
        }
    }

    /** Disconnects. */
    @KernelStruct(value = "struct rdma_ucm_disconnect", header = "rdma/rdma_user_cm.h")
    public record DisconnectCommand(int id) {
        public static final int ID = 0; // __u32
        public static final int BYTES = 4;

        public void encode(ByteBuffer out, int base) {
            out.putInt(base + ID, id);
        }
    }

    /** Reports an asynchronous event of the id's queue pair to the connection manager. */
    @KernelStruct(value = "struct rdma_ucm_notify", header = "rdma/rdma_user_cm.h")
    public record NotifyCommand(int id, int event) {
        public static final int ID = 0; // __u32
        public static final int EVENT = 4; // __u32: IB_EVENT_*, the numbers of IBV_EVENT_*
        public static final int BYTES = 8;

        public void encode(ByteBuffer out, int base) {
            out.putInt(base + ID, id);
            out.putInt(base + EVENT, event);
        }
    }
}
