// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/** The commands that create, destroy and migrate an id. */
public final class IdCommands {
    private IdCommands() {}

    /** Creates an id. */
    @KernelStruct(value = "struct rdma_ucm_create_id", header = "rdma/rdma_user_cm.h")
    public record CreateIdCommand(long uid, int ps, int qpType) {
        public static final int UID = 0; // __aligned_u64: echoed in the id's events; the kernel drops events of uid 0
        public static final int RESPONSE = 8; // __aligned_u64: address of the reply
        public static final int PS = 16; // __u16: RDMA_PS_*
        public static final int QP_TYPE = 18; // __u8: IB_UVERBS_QPT_*; read for RDMA_PS_IB only
        public static final int RESERVED = 19; // __u8[5]
        public static final int BYTES = 24;

        public void encode(ByteBuffer out, int base, long response) {
            out.putLong(base + UID, uid);
            out.putLong(base + RESPONSE, response);
            StructFields.putU16(out, base + PS, ps);
            StructFields.putU8(out, base + QP_TYPE, qpType);
            StructFields.zero(out, base + RESERVED, 5);
        }
    }

    /** A new id. */
    @KernelStruct(value = "struct rdma_ucm_create_id_resp", header = "rdma/rdma_user_cm.h")
    public record CreateIdReply(int id) {
        public static final int ID = 0; // __u32: 0 is a valid handle
        public static final int BYTES = 4;

        public static CreateIdReply decode(ByteBuffer in, int base) {
            return new CreateIdReply(in.getInt(base + ID));
        }
    }

    /**
     * Destroys an id and drops its unread events. LEAVE_MCAST takes the same struct, with the handle of the membership,
     * and its reply counts the events of the membership.
     */
    @KernelStruct(value = "struct rdma_ucm_destroy_id", header = "rdma/rdma_user_cm.h")
    public record DestroyIdCommand(int id) {
        public static final int RESPONSE = 0; // __aligned_u64: address of the reply
        public static final int ID = 8; // __u32
        public static final int RESERVED = 12; // __u32
        public static final int BYTES = 16;

        public void encode(ByteBuffer out, int base, long response) {
            out.putLong(base + RESPONSE, response);
            out.putInt(base + ID, id);
            out.putInt(base + RESERVED, 0);
        }
    }

    /** The number of delivered events of a destroyed id. */
    @KernelStruct(value = "struct rdma_ucm_destroy_id_resp", header = "rdma/rdma_user_cm.h")
    public record DestroyIdReply(int eventsReported) {
        public static final int EVENTS_REPORTED = 0; // __u32: by GET_EVENT, including connection requests of a listener
        public static final int BYTES = 4;

        public static DestroyIdReply decode(ByteBuffer in, int base) {
            return new DestroyIdReply(in.getInt(base + EVENTS_REPORTED));
        }
    }

    /** Moves an id with its undelivered events to the descriptor that the command is written to. */
    @KernelStruct(value = "struct rdma_ucm_migrate_id", header = "rdma/rdma_user_cm.h")
    public record MigrateIdCommand(int id, int fd) {
        public static final int RESPONSE = 0; // __aligned_u64: address of the reply
        public static final int ID = 8; // __u32
        public static final int FD = 12; // __u32: number of the descriptor that the id is on
        public static final int BYTES = 16;

        public void encode(ByteBuffer out, int base, long response) {
            out.putLong(base + RESPONSE, response);
            out.putInt(base + ID, id);
            out.putInt(base + FD, fd);
        }
    }

    /** The reply to {@link MigrateIdCommand}. */
    @KernelStruct(value = "struct rdma_ucm_migrate_resp", header = "rdma/rdma_user_cm.h")
    public record MigrateReply(int eventsReported) {
        public static final int EVENTS_REPORTED = 0; // __u32: by GET_EVENT so far
        public static final int BYTES = 4;

        public static MigrateReply decode(ByteBuffer in, int base) {
            return new MigrateReply(in.getInt(base + EVENTS_REPORTED));
        }
    }
}
