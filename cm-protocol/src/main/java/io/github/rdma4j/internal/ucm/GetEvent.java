// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.ucm.EventParam.UserParam;
import java.nio.ByteBuffer;

/** Reads an event. */
public final class GetEvent {
    private GetEvent() {}

    /**
     * Waits for the next event, or fails with EAGAIN on a non-blocking file.
     *
     * <pre>{@code
     * struct rdma_ucm_get_event {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_GET_EVENT
     *     __aligned_u64 response;  // 0  address of struct rdma_ucm_event_resp
     * };                           // 8
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_get_event", header = "rdma/rdma_user_cm.h")
    public record Command() {
        public static final int RESPONSE = 0;
        public static final int BYTES = 8;

        public void encode(ByteBuffer out, int base, long response) {
            out.putLong(base + RESPONSE, response);
        }
    }

    /**
     * An event.
     *
     * <p>Kernels before 5.8 do not write the last bytes, so the buffer has to be zero before the command.
     *
     * <pre>{@code
     * struct rdma_ucm_event_resp {                // uapi/rdma/rdma_user_cm.h
     *     __aligned_u64 uid;                      //   0  of the id, or of the listener for a connection request
     *     __u32 id;                               //   8  the new id for a connection request
     *     __u32 event;                            //  12  RDMA_CM_EVENT_*
     *     __u32 status;                           //  16  negative errno, or a positive code of the transport
     *     struct rdma_ucm_conn_param param.conn;  //  20  or struct rdma_ucm_ud_param ud; aligned to 4 bytes only
     *     __u32 reserved;                         // 324
     *     struct rdma_ucm_ece ece;                // 328  options of the peer's driver; from Linux 5.8
     * };                                          // 336
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_event_resp", header = "rdma/rdma_user_cm.h")
    public record EventReply(long uid, int id, int event, int status, EventParam param, Ece ece) {
        public static final int UID = 0;
        public static final int ID = 8;
        public static final int EVENT = 12;
        public static final int STATUS = 16;

        @CName("param.conn")
        public static final int PARAM = 20;

        public static final int RESERVED = 324;
        public static final int ECE = 328;
        public static final int BYTES = 336;

        /**
         * Reads the reply at {@code base} of a buffer in native order.
         *
         * @param ud true if the id, or the listener of a connection request, is a datagram id; the bytes do not show
         *     the type
         */
        public static EventReply decode(ByteBuffer in, int base, boolean ud) {
            int event = in.getInt(base + EVENT);
            return new EventReply(
                    in.getLong(base + UID),
                    in.getInt(base + ID),
                    event,
                    in.getInt(base + STATUS),
                    param(in, base + PARAM, event, ud),
                    EceBytes.decode(in, base + ECE));
        }

        private static EventParam param(ByteBuffer in, int base, int event, boolean ud) {
            if (event == CmEventType.USER.code() || event == CmEventType.INTERNAL.code()) {
                return new UserParam(in.getLong(base));
            }
            return ud || event == CmEventType.MULTICAST_JOIN.code()
                    ? UdParam.decode(in, base)
                    : ConnParam.decode(in, base);
        }
    }
}
