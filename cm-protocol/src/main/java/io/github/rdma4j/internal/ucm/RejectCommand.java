// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rejects a connection request.
 *
 * <pre>{@code
 * struct rdma_ucm_reject {                       // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_REJECT
 *     __u32 id;                                  //   0
 *     __u8 private_data_len;                     //   4
 *     __u8 reason;                               //   5
 *     __u8 reserved[2];                          //   6
 *     __u8 private_data[RDMA_MAX_PRIVATE_DATA];  //   8  256 bytes
 * };                                             // 264
 * }</pre>
 *
 * @param id the id
 * @param privateData what goes along, at most 255 bytes; how much fits depends on the message
 * @param reason {@code IB_CM_REJ_CONSUMER_DEFINED} or another reason that the kernel accepts, or 0 for the usual one
 */
@KernelStruct(value = "struct rdma_ucm_reject", header = "rdma/rdma_user_cm.h")
@SuppressWarnings("ArrayRecordComponent") // copied in and out, and compared by content
public record RejectCommand(int id, byte[] privateData, int reason) {
    public static final class Layout {
        public static final int ID = 0;
        public static final int PRIVATE_DATA_LEN = 4;
        public static final int REASON = 5;
        public static final int RESERVED = 6;
        public static final int PRIVATE_DATA = 8;
        public static final int BYTES = 264;

        private Layout() {}
    }

    /** Copies the private data. */
    public RejectCommand {
        privateData = PrivateData.copy(privateData);
    }

    /** A copy. */
    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        out.putInt(base + Layout.ID, id);
        PrivateData.encode(out, base + Layout.PRIVATE_DATA, base + Layout.PRIVATE_DATA_LEN, privateData);
        StructFields.putU8(out, base + Layout.REASON, reason);
        out.putShort(base + Layout.RESERVED, (short) 0);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RejectCommand that
                && id == that.id
                && Arrays.equals(privateData, that.privateData)
                && reason == that.reason;
    }

    @Override
    public int hashCode() {
        return 31 * id + Arrays.hashCode(privateData);
    }

    @Override
    public String toString() {
        return "RejectCommand[id=" + id + ", privateData=" + privateData.length + " bytes, reason=" + reason + "]";
    }
}
