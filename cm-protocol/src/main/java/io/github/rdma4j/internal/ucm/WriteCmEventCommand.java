// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/**
 * Appends a user event to the events of an id.
 *
 * <pre>{@code
 * struct rdma_ucm_write_cm_event {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_WRITE_CM_EVENT
 *     __u32 id;                     //   0
 *     __u32 reserved;               //   4
 *     __u32 event;                  //   8  RDMA_CM_EVENT_USER or RDMA_CM_EVENT_INTERNAL
 *     __u32 status;                 //  12  any number
 *     __u64 param.arg;              //  16  of a union that has 304 bytes
 * };                                // 320
 * }</pre>
 */
@KernelStruct(value = "struct rdma_ucm_write_cm_event", header = "rdma/rdma_user_cm.h", since = "6.18")
public record WriteCmEventCommand(int id, int event, int status, long arg) {
    public static final int ID = 0;
    public static final int RESERVED = 4;
    public static final int EVENT = 8;
    public static final int STATUS = 12;

    @CName("param.arg")
    public static final int ARG = 16;

    public static final int BYTES = 320;

    public void encode(ByteBuffer out, int base) {
        StructFields.zero(out, base, BYTES);
        out.putInt(base + ID, id);
        out.putInt(base + EVENT, event);
        out.putInt(base + STATUS, status);
        out.putLong(base + ARG, arg);
    }
}
