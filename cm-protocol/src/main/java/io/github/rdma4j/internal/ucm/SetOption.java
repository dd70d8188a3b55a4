// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/** Sets an option of an id. */
public final class SetOption {
    private SetOption() {}

    /** Sets an option of an id. */
    @KernelStruct(value = "struct rdma_ucm_set_option", header = "rdma/rdma_user_cm.h")
    public record Command(int id, int level, int optname, int optlen) {
        public static final int OPTVAL = 0; // __aligned_u64: address of the value
        public static final int ID = 8; // __u32
        public static final int LEVEL = 12; // __u32: RDMA_OPTION_ID or RDMA_OPTION_IB
        public static final int OPTNAME = 16; // __u32
        public static final int OPTLEN = 20; // __u32: the exact number of bytes of the value
        public static final int BYTES = 24;

        public void encode(ByteBuffer out, int base, long value) {
            out.putLong(base + OPTVAL, value);
            out.putInt(base + ID, id);
            out.putInt(base + LEVEL, level);
            out.putInt(base + OPTNAME, optname);
            out.putInt(base + OPTLEN, optlen);
        }
    }

    /** The options of an id, by level, for {@link Command}. */
    @KernelConstants("rdma/rdma_user_cm.h")
    public static final class OptionNames {
        public static final int RDMA_OPTION_ID = 0;
        public static final int RDMA_OPTION_IB = 1;

        /** Of level {@code RDMA_OPTION_ID}: type of service, one byte. */
        public static final int RDMA_OPTION_ID_TOS = 0;

        /** Of level {@code RDMA_OPTION_ID}: an address may be bound more than once, four bytes. */
        public static final int RDMA_OPTION_ID_REUSEADDR = 1;

        /** Of level {@code RDMA_OPTION_ID}: a wildcard address covers only its own family, four bytes. */
        public static final int RDMA_OPTION_ID_AFONLY = 2;

        /** Of level {@code RDMA_OPTION_ID}: exponent of the acknowledgement timeout, one byte. */
        public static final int RDMA_OPTION_ID_ACK_TIMEOUT = 3;

        /** Of level {@code RDMA_OPTION_IB}: the paths, as consecutive {@link PathData}. */
        public static final int RDMA_OPTION_IB_PATH = 1;

        private OptionNames() {}
    }
}
