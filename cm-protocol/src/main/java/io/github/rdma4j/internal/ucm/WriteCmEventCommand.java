// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/** Appends a user event to the events of an id. */
@KernelStruct(value = "struct rdma_ucm_write_cm_event", header = "rdma/rdma_user_cm.h", since = "6.18")
public record WriteCmEventCommand(int id, int event, int status, long arg) {
    public static final int ID = 0; // __u32
    public static final int RESERVED = 4; // __u32
    public static final int EVENT = 8; // __u32: RDMA_CM_EVENT_USER or RDMA_CM_EVENT_INTERNAL
    public static final int STATUS = 12; // __u32: any number

    @CName("param.arg")
    public static final int ARG = 16; // __u64: of a union that has 304 bytes

    public static final int BYTES = 320;

    public void encode(ByteBuffer out, int base) {
        StructFields.zero(out, base, BYTES);
        out.putInt(base + ID, id);
        out.putInt(base + EVENT, event);
        out.putInt(base + STATUS, status);
        out.putLong(base + ARG, arg);
    }
}
