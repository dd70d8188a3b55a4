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

    /** Waits for the next event, or fails with EAGAIN on a non-blocking file. */
    @KernelStruct(value = "struct rdma_ucm_get_event", header = "rdma/rdma_user_cm.h")
    public record Command() {
        public static final int RESPONSE = 0; // __aligned_u64: address of struct rdma_ucm_event_resp
        public static final int BYTES = 8;

        public void encode(ByteBuffer out, int base, long response) {
            out.putLong(base + RESPONSE, response);
        }
    }

    /**
     * An event.
     *
     * <p>Kernels before 5.8 do not write the last bytes, so the buffer has to be zero before the command.
     */
    @KernelStruct(value = "struct rdma_ucm_event_resp", header = "rdma/rdma_user_cm.h")
    public record EventReply(long uid, int id, int event, int status, EventParam param, Ece ece) {
        public static final int UID = 0; // __aligned_u64: of the id, or of the listener for a connection request
        public static final int ID = 8; // __u32: the new id for a connection request
        public static final int EVENT = 12; // __u32: RDMA_CM_EVENT_*
        public static final int STATUS = 16; // __u32: negative errno, or a positive code of the transport

        @CName("param.conn")
        // struct rdma_ucm_conn_param: or struct rdma_ucm_ud_param ud; aligned to 4 bytes only
        public static final int PARAM = 20;

        public static final int RESERVED = 324; // __u32
        public static final int ECE = 328; // struct rdma_ucm_ece: options of the peer's driver; from Linux 5.8
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
