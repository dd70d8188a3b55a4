// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/** The commands that create, destroy and migrate an id. */
public final class IdCommands {
    private IdCommands() {}

    /**
     * Creates an id.
     *
     * <pre>{@code
     * struct rdma_ucm_create_id {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_CREATE_ID
     *     __aligned_u64 uid;       //  0  echoed in the id's events; the kernel drops events of uid 0
     *     __aligned_u64 response;  //  8  address of the reply
     *     __u16 ps;                // 16  RDMA_PS_*
     *     __u8 qp_type;            // 18  IB_UVERBS_QPT_*; read for RDMA_PS_IB only
     *     __u8 reserved[5];        // 19
     * };                           // 24
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_create_id", header = "rdma/rdma_user_cm.h")
    public record CreateIdCommand(long uid, int ps, int qpType) {
        public static final int UID = 0;
        public static final int RESPONSE = 8;
        public static final int PS = 16;
        public static final int QP_TYPE = 18;
        public static final int RESERVED = 19;
        public static final int BYTES = 24;

        public void encode(ByteBuffer out, int base, long response) {
            out.putLong(base + UID, uid);
            out.putLong(base + RESPONSE, response);
            StructFields.putU16(out, base + PS, ps);
            StructFields.putU8(out, base + QP_TYPE, qpType);
            StructFields.zero(out, base + RESERVED, 5);
        }
    }

    /**
     * A new id.
     *
     * <pre>{@code
     * struct rdma_ucm_create_id_resp {  // uapi/rdma/rdma_user_cm.h
     *     __u32 id;                     // 0  0 is a valid handle
     * };                                // 4
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_create_id_resp", header = "rdma/rdma_user_cm.h")
    public record CreateIdReply(int id) {
        public static final int ID = 0;
        public static final int BYTES = 4;

        public static CreateIdReply decode(ByteBuffer in, int base) {
            return new CreateIdReply(in.getInt(base + ID));
        }
    }

    /**
     * Destroys an id and drops its unread events. LEAVE_MCAST takes the same struct, with the handle of the membership,
     * and its reply counts the events of the membership.
     *
     * <pre>{@code
     * struct rdma_ucm_destroy_id {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_DESTROY_ID
     *     __aligned_u64 response;   //  0  address of the reply
     *     __u32 id;                 //  8
     *     __u32 reserved;           // 12
     * };                            // 16
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_destroy_id", header = "rdma/rdma_user_cm.h")
    public record DestroyIdCommand(int id) {
        public static final int RESPONSE = 0;
        public static final int ID = 8;
        public static final int RESERVED = 12;
        public static final int BYTES = 16;

        public void encode(ByteBuffer out, int base, long response) {
            out.putLong(base + RESPONSE, response);
            out.putInt(base + ID, id);
            out.putInt(base + RESERVED, 0);
        }
    }

    /**
     * The number of delivered events of a destroyed id.
     *
     * <pre>{@code
     * struct rdma_ucm_destroy_id_resp {  // uapi/rdma/rdma_user_cm.h
     *     __u32 events_reported;         // 0  by GET_EVENT, including connection requests of a listener
     * };                                 // 4
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_destroy_id_resp", header = "rdma/rdma_user_cm.h")
    public record DestroyIdReply(int eventsReported) {
        public static final int EVENTS_REPORTED = 0;
        public static final int BYTES = 4;

        public static DestroyIdReply decode(ByteBuffer in, int base) {
            return new DestroyIdReply(in.getInt(base + EVENTS_REPORTED));
        }
    }

    /**
     * Moves an id with its undelivered events to the descriptor that the command is written to.
     *
     * <pre>{@code
     * struct rdma_ucm_migrate_id {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_MIGRATE_ID
     *     __aligned_u64 response;   //  0  address of the reply
     *     __u32 id;                 //  8
     *     __u32 fd;                 // 12  number of the descriptor that the id is on
     * };                            // 16
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_migrate_id", header = "rdma/rdma_user_cm.h")
    public record MigrateIdCommand(int id, int fd) {
        public static final int RESPONSE = 0;
        public static final int ID = 8;
        public static final int FD = 12;
        public static final int BYTES = 16;

        public void encode(ByteBuffer out, int base, long response) {
            out.putLong(base + RESPONSE, response);
            out.putInt(base + ID, id);
            out.putInt(base + FD, fd);
        }
    }

    /**
     * The reply to {@link MigrateIdCommand}.
     *
     * <pre>{@code
     * struct rdma_ucm_migrate_resp {  // uapi/rdma/rdma_user_cm.h
     *     __u32 events_reported;      // 0  by GET_EVENT so far
     * };                              // 4
     * }</pre>
     */
    @KernelStruct(value = "struct rdma_ucm_migrate_resp", header = "rdma/rdma_user_cm.h")
    public record MigrateReply(int eventsReported) {
        public static final int EVENTS_REPORTED = 0;
        public static final int BYTES = 4;

        public static MigrateReply decode(ByteBuffer in, int base) {
            return new MigrateReply(in.getInt(base + EVENTS_REPORTED));
        }
    }
}
