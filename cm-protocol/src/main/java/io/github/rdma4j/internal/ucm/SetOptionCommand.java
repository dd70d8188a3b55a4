// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Sets an option of an id.
 *
 * <pre>{@code
 * struct rdma_ucm_set_option {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_SET_OPTION
 *     __aligned_u64 optval;     //  0  address of the value
 *     __u32 id;                 //  8
 *     __u32 level;              // 12
 *     __u32 optname;            // 16
 *     __u32 optlen;             // 20  bytes of the value
 * };                            // 24
 * }</pre>
 *
 * @param id the id
 * @param level {@code RDMA_OPTION_ID} or {@code RDMA_OPTION_IB}
 * @param optname one of {@link OptionNames}
 * @param optlen bytes of the value; the kernel wants it to be exact
 */
@KernelStruct(value = "struct rdma_ucm_set_option", header = "rdma/rdma_user_cm.h")
public record SetOptionCommand(int id, int level, int optname, int optlen) {
    public static final class Layout {
        public static final int OPTVAL = 0;
        public static final int ID = 8;
        public static final int LEVEL = 12;
        public static final int OPTNAME = 16;
        public static final int OPTLEN = 20;
        public static final int BYTES = 24;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long value) {
        out.putLong(base + Layout.OPTVAL, value);
        out.putInt(base + Layout.ID, id);
        out.putInt(base + Layout.LEVEL, level);
        out.putInt(base + Layout.OPTNAME, optname);
        out.putInt(base + Layout.OPTLEN, optlen);
    }
}
