// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

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
 *
 * @param id the id
 * @param fd number of the descriptor that the id is on
 */
@KernelStruct(value = "struct rdma_ucm_migrate_id", header = "rdma/rdma_user_cm.h")
public record MigrateIdCommand(int id, int fd) {
    public static final class Layout {
        public static final int RESPONSE = 0;
        public static final int ID = 8;
        public static final int FD = 12;
        public static final int BYTES = 16;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.RESPONSE, response);
        out.putInt(base + Layout.ID, id);
        out.putInt(base + Layout.FD, fd);
    }
}
